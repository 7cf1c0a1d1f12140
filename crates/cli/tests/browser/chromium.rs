//! Chromium without a window, spoken to through two pipes: pages are opened at any width, in light and dark, and used with real keys.
//!
//! What the browser complains of while a page is open (errors, console, requests to anywhere) is kept until it is asked for.
#![allow(dead_code, missing_docs)]

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

/// Widths of a desktop and of a phone.
pub const WIDTHS: [u32; 2] = [1280, 390];

pub struct Chromium {
    child: Child,
    to: File,
    from: BufReader<File>,
    session: Option<String>,
    calls: u64,
    events: Vec<Value>,
    _folder: TempDir,
}

impl Chromium {
    pub fn start() -> Self {
        let works = |name: &&str| {
            Command::new(name).arg("--version").output().is_ok_and(|done| done.status.success())
        };
        let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(works);
        let program = found.expect("chromium is not installed (apt install chromium)");
        let folder = tempdir().unwrap();
        let [to, from] = ["to", "from"].map(|name| folder.path().join(name));
        assert!(Command::new("mkfifo").args([&to, &from]).status().is_ok_and(|status| status.success()));
        // The browser reads from its third file and writes to its fourth, which a shell opens for it.
        let child = Command::new("sh")
            .args(["-c", r#"exec "$@" 3<"$TO" 4>"$FROM""#, "sh", program])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--no-first-run", "--hide-scrollbars"])
            .args(["--remote-debugging-pipe", "about:blank"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .env("TO", &to)
            .env("FROM", &from)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = OpenOptions::new().write(true).open(to).unwrap();
        let from = BufReader::new(File::open(from).unwrap());
        let mut this = Self { child, to, from, session: None, calls: 0, events: Vec::new(), _folder: folder };
        let target = this.call("Target.createTarget", &json!({"url": "about:blank"}));
        let session = this
            .call("Target.attachToTarget", &json!({"targetId": target["targetId"], "flatten": true}))["sessionId"]
            .clone();
        this.session = session.as_str().map(String::from);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            this.call(&format!("{domain}.enable"), &json!({}));
        }
        // What a page forbids itself and tries all the same.
        let watch = "globalThis.forbidden = []; addEventListener('securitypolicyviolation', (e) => forbidden.push(e.blockedURI))";
        this.call("Page.addScriptToEvaluateOnNewDocument", &json!({"source": watch}));
        this
    }

    fn read(&mut self) -> Value {
        let mut message = Vec::new();
        self.from.read_until(0, &mut message).unwrap();
        assert_eq!(message.pop(), Some(0), "the browser has ended");
        serde_json::from_slice(&message).unwrap()
    }

    /// Asks for something, and waits for the answer.
    pub fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).unwrap();
        loop {
            let mut answer = self.read();
            if answer["id"] == self.calls {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
            self.events.push(answer);
        }
    }

    /// Opens a page; complaints begin anew.
    pub fn open(&mut self, page: &Path, width: u32, dark: bool) {
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &size);
        let scheme = json!({"name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" }});
        // Without motion, what the focus moves to is there at once.
        let still = json!({"name": "prefers-reduced-motion", "value": "reduce"});
        self.call("Emulation.setEmulatedMedia", &json!({"features": [scheme, still]}));
        self.events.clear();
        self.call("Page.navigate", &json!({"url": format!("file://{}", page.display())}));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.read();
            self.events.push(event);
        }
    }

    /// What a script comes to; if it is a promise, what that comes to.
    pub fn run(&mut self, script: &str) -> Value {
        let asked = json!({"expression": script, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.call("Runtime.evaluate", &asked);
        assert!(answer["exceptionDetails"].is_null(), "{}", answer["exceptionDetails"]);
        answer["result"]["value"].take()
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            " " => (32, " "),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            _ => panic!("{key:?} is no key of these tests"),
        };
        let event =
            |kind: &str| json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
        let mut down = event(if text.is_empty() { "rawKeyDown" } else { "keyDown" });
        if !text.is_empty() {
            down["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", &down);
        self.call("Input.dispatchKeyEvent", &event("keyUp"));
    }

    /// A picture of a part of the page, as PNG: left, top, width and height.
    pub fn picture(&mut self, part: [f64; 4], scale: f64) -> Vec<u8> {
        let [x, y, width, height] = part;
        let clip = json!({"x": x, "y": y, "width": width, "height": height, "scale": scale});
        let asked = json!({"format": "png", "captureBeyondViewport": true, "clip": clip});
        bytes(self.call("Page.captureScreenshot", &asked)["data"].as_str().unwrap())
    }

    /// Errors, words on the console, what was forbidden, and what was asked of anywhere but the page's file.
    pub fn complaints(&mut self) -> Vec<String> {
        let forbidden = self.run("forbidden");
        let mut all: Vec<String> = forbidden.as_array().unwrap().iter().map(Value::to_string).collect();
        for event in self.events.drain(..) {
            let parameters = &event["params"];
            let address = parameters["request"]["url"].as_str().unwrap_or_default();
            all.extend(match event["method"].as_str().unwrap_or_default() {
                "Runtime.exceptionThrown" => Some(parameters["exceptionDetails"].to_string()),
                "Runtime.consoleAPICalled" => Some(parameters["args"].to_string()),
                "Log.entryAdded" => Some(parameters["entry"].to_string()),
                "Network.requestWillBeSent" if !address.starts_with("file://") => Some(address.to_string()),
                _ => None,
            });
        }
        all
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a text in base 64 stands for.
fn bytes(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut out = Vec::new();
    for four in text.trim_end_matches('=').as_bytes().chunks(4) {
        let all = four.iter().fold(0, |all, &c| (all << 6) | digit(c)) << (6 * (4 - four.len()));
        out.extend_from_slice(&all.to_be_bytes()[1..four.len()]);
    }
    out
}
