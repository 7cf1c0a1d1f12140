//! How much memory there is, and a refusal where work would need more.
//!
//! Whoever is about to make something whose size depends on the input claims its bytes first: [`claim`] compares them with
//! what is left, and asks for them once, fallibly, as one piece that is given back at once. What is made afterwards, piece by
//! piece, then has its room. So a size that cannot be had is an error with figures, and the loops over rows know nothing of it.
//!
//! What is left is the least of what the machine, the control group (a container, a batch job) and the limits of the process
//! (`ulimit -v`, `ulimit -d`) leave. On Linux the kernel tells all of it in files; elsewhere nothing is known beforehand, and only
//! the asking counts.

use std::fs;
use std::path::{Path, PathBuf};

use manyboost_kernel::net;

use crate::error::{Error, ErrorKind, Result};

/// Memory that is left, and by what it is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// So many bytes.
    pub bytes: u64,
    /// Who says so.
    pub by: &'static str,
}

/// What work needs beside its large parts: stacks, buffers of threads, odds and ends.
const MARGIN: u64 = 16 << 20;

/// Memory that is left to this process, where it is known.
pub fn left() -> Option<Left> {
    let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let status = text("/proc/self/status");
    let limits = text("/proc/self/limits");
    let groups = text("/proc/self/cgroup");
    let limit = |name: &str, used: &str, by: &'static str| {
        let most = limits.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next())?;
        Some(Left { bytes: most.parse::<u64>().ok()?.saturating_sub(kibibytes(&status, used)?), by })
    };
    let all = [
        machine(&text("/proc/meminfo")),
        limit("Max address space", "VmSize:", "ulimit -v"),
        limit("Max data size", "VmData:", "ulimit -d"),
    ];
    let groups = groups.lines().filter_map(|line| control_group(Path::new("/sys/fs/cgroup"), line));
    all.into_iter().flatten().chain(groups).min_by_key(|left| left.bytes)
}

/// Bytes that this process has in memory now, and the most that it ever had, where it is known.
pub fn in_use() -> Option<(u64, u64)> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    Some((kibibytes(&status, "VmRSS:")?, kibibytes(&status, "VmHWM:")?))
}

/// Refuses work that needs more bytes than there are; `what` needs them, and `remedy` says what needs less.
pub fn claim(bytes: u64, what: &str, remedy: &str) -> Result<()> {
    let needed = bytes.saturating_add(MARGIN);
    let had = net::can_have(needed);
    if had && bytes < MARGIN {
        // Not worth a look at the limits.
        return Ok(());
    }
    let there = match left() {
        Some(left) if left.bytes < needed => format!("{} are left ({})", size(left.bytes), left.by),
        _ if had => return Ok(()),
        _ => "the system does not give it".to_string(),
    };
    let what = format!("{what} needs about {}, and {there}", size(needed));
    Err(Error::new(ErrorKind::Memory, what, remedy))
}

/// A size as people say it.
pub fn size(bytes: u64) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"];
    let mut value = bytes as f64 / 1e3;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < units.len() {
        (value, unit) = (value / 1e3, unit + 1);
    }
    let digits = usize::from(value < 9.95);
    format!("{value:.digits$} {}", units[unit])
}

/// The number of kibibytes after a name in one of the kernel's lists, in bytes.
fn kibibytes(list: &str, name: &str) -> Option<u64> {
    let value = list.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next())?;
    value.parse::<u64>().ok()?.checked_mul(1024)
}

/// What the machine can give without taking it from others.
fn machine(meminfo: &str) -> Option<Left> {
    let swap = kibibytes(meminfo, "SwapFree:").unwrap_or(0);
    Some(Left {
        bytes: kibibytes(meminfo, "MemAvailable:")?.saturating_add(swap),
        by: "free on this machine",
    })
}

/// What a control group and those around it leave, from a line of `/proc/self/cgroup`: `0::/path` (version 2) or
/// `4:memory:/path` (version 1).
fn control_group(root: &Path, line: &str) -> Option<Left> {
    let mut parts = line.splitn(3, ':');
    let (_, kind, path) = (parts.next()?, parts.next()?, parts.next()?);
    let (root, most, used, cache) = match kind {
        "" => (root.to_path_buf(), "memory.max", "memory.current", "inactive_file"),
        "memory" => {
            (root.join("memory"), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        }
        _ => return None,
    };
    let number = |path: PathBuf| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let left = |folder: &Path| {
        let (most, used) = (number(folder.join(most))?, number(folder.join(used))?);
        // Files that were read once and may be dropped count as used, but are no hindrance.
        let stat = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let cache = stat.lines().find_map(|line| line.strip_prefix(cache)?.trim().parse::<u64>().ok());
        Some(most.saturating_sub(used.saturating_sub(cache.unwrap_or(0))))
    };
    // Inside a container the path may be that of the host: then its own group is the root.
    let own = root.join(path.trim_start_matches('/'));
    let folders = own.ancestors().take_while(|folder| folder.starts_with(&root));
    let bytes = folders.filter_map(left).min()?;
    Some(Left { bytes, by: "the limit of the control group" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        let cases = [(0, "0.0 kB"), (15_000_000, "15 MB"), (720_000_000_000, "720 GB"), (999_600, "1.0 MB")];
        for (bytes, words) in cases {
            assert_eq!(size(bytes), words);
        }
        assert_eq!(size(u64::MAX), "18 EB");
    }

    #[test]
    fn the_tightest_group_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("job/memory.max", "1000\n");
        write("job/memory.current", "700\n");
        write("job/step/memory.max", "max\n");
        write("job/step/memory.current", "300\n");
        let left = |line: &str| control_group(root.path(), line).map(|left| left.bytes);
        assert_eq!(left("0::/job/step"), Some(300));
        write("job/memory.stat", "anon 1\ninactive_file 250\n");
        assert_eq!(left("0::/job/step"), Some(550));
        assert_eq!(left("0::/elsewhere"), None);
        write("memory/memory.limit_in_bytes", "500");
        write("memory/memory.usage_in_bytes", "100");
        assert_eq!(left("4:memory:/host/path"), Some(400));
        assert_eq!(left("5:devices:/job"), None);
        assert_eq!(left(""), None);
    }

    #[test]
    fn what_the_kernel_says_is_understood() {
        let meminfo = "MemTotal:       24681968 kB\nMemAvailable:   1000 kB\nSwapFree:       24 kB\n";
        assert_eq!(machine(meminfo).map(|left| left.bytes), Some(1024 * 1024));
        assert_eq!(machine(""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_cannot_be_is_refused_with_both_figures() {
        assert!(claim(1000, "little", "").is_ok());
        assert!(left().is_some_and(|left| left.bytes > 0));
        assert!(in_use().is_some_and(|(now, most)| now > 0 && now <= most));
        for bytes in [1 << 60, u64::MAX] {
            let error = claim(bytes, "the work", "do less").unwrap_err();
            assert_eq!((error.kind(), &*error.remedy()), (ErrorKind::Memory, "do less"));
            assert!(error.what().contains("EB, and ") && error.what().contains(" are left ("), "{error}");
        }
    }
}
