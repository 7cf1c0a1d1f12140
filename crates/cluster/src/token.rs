//! What all workers of a run know and nobody else does.

use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use manyboost_data::{Error, ErrorKind, Result};
use sha2::Sha256;

/// Fewer bytes could be guessed.
const LEAST_BYTES: usize = 16;

/// More bytes are no token.
const MOST_BYTES: u64 = 4096;

/// A secret of a run.
#[derive(Clone)]
pub struct Token(Vec<u8>);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// From bytes that nobody else has; white space around them does not count.
    pub fn new(bytes: &[u8]) -> Result<Self> {
        let bytes = bytes.trim_ascii();
        if bytes.len() < LEAST_BYTES {
            let what = format!("the token has {} bytes", bytes.len());
            let remedy = "give at least 16 random bytes, such as `openssl rand -hex 32` writes";
            return Err(Error::new(ErrorKind::Parameter, what, remedy.replace('`', "\"")));
        }
        Ok(Self(bytes.to_vec()))
    }

    /// From a file.
    pub fn read(path: &Path) -> Result<Self> {
        let wrong = |cause: &std::io::Error| {
            let what = format!("{}: the token cannot be read: {cause}", path.display());
            Error::new(ErrorKind::File, what, "give a file that this user may read").caused_by(cause)
        };
        let length = std::fs::metadata(path).map_err(|cause| wrong(&cause))?.len();
        if length > MOST_BYTES {
            let what = format!("{}: {length} bytes are no token", path.display());
            return Err(Error::new(
                ErrorKind::Parameter,
                what,
                "give a file with a token of up to 4096 bytes",
            ));
        }
        Self::new(&std::fs::read(path).map_err(|cause| wrong(&cause))?)
    }

    /// A number for a text, which says nothing of it to somebody without the token.
    pub fn number(&self, text: &str) -> [u8; 32] {
        self.seal(b"number", &[text.as_bytes()])
    }

    /// What only somebody with the token can say of these bytes.
    pub(crate) fn seal(&self, purpose: &[u8], parts: &[&[u8]]) -> [u8; 32] {
        self.mac(purpose, parts).finalize().into_bytes().into()
    }

    /// Whether somebody with the token said this of these bytes. Takes the same time whatever is wrong.
    pub(crate) fn has_sealed(&self, seal: &[u8], purpose: &[u8], parts: &[&[u8]]) -> bool {
        self.mac(purpose, parts).verify_slice(seal).is_ok()
    }

    fn mac(&self, purpose: &[u8], parts: &[&[u8]]) -> Hmac<Sha256> {
        // Keys of any length are taken; none would be, an empty one is.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).unwrap_or_else(|_| unreachable!("any length"));
        mac.update(purpose);
        for part in parts {
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part);
        }
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seals_depend_on_everything() {
        let token = Token::new(b"  0123456789abcdef\n").unwrap();
        let seal = token.seal(b"one", &[b"ab", b"c"]);
        assert!(token.has_sealed(&seal, b"one", &[b"ab", b"c"]));
        assert!(!token.has_sealed(&seal, b"two", &[b"ab", b"c"]));
        assert!(!token.has_sealed(&seal, b"one", &[b"a", b"bc"]));
        assert!(!token.has_sealed(&seal[..31], b"one", &[b"ab", b"c"]));
        let other = Token::new(b"0123456789abcdeg").unwrap();
        assert!(!other.has_sealed(&seal, b"one", &[b"ab", b"c"]));
        assert!(Token::new(b"short").is_err());
        assert!(!format!("{token:?}").contains("0123"));
    }
}
