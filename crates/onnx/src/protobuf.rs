//! As much of the protobuf wire format as writing ONNX takes.

/// A message under construction.
#[derive(Default)]
pub struct ProtoMessage(Vec<u8>);

impl ProtoMessage {
    /// The bytes so far.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(bytes: &mut Vec<u8>, mut value: u64) {
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
    }

    fn key(&mut self, field: u32, wire: u64) {
        Self::varint(&mut self.0, u64::from(field) << 3 | wire);
    }

    /// A whole number.
    pub fn int(&mut self, field: u32, value: i64) {
        self.key(field, 0);
        Self::varint(&mut self.0, value as u64);
    }

    /// A number in single precision.
    pub fn float(&mut self, field: u32, value: f32) {
        self.key(field, 5);
        self.0.extend(value.to_le_bytes());
    }

    /// Bytes, or text.
    pub fn bytes(&mut self, field: u32, bytes: &[u8]) {
        self.key(field, 2);
        Self::varint(&mut self.0, bytes.len() as u64);
        self.0.extend(bytes);
    }

    /// A message within.
    pub fn message(&mut self, field: u32, message: &Self) {
        self.bytes(field, &message.0);
    }

    /// Whole numbers, packed.
    pub fn ints(&mut self, field: u32, values: &[i64]) {
        let mut packed = Vec::new();
        for &value in values {
            Self::varint(&mut packed, value as u64);
        }
        self.bytes(field, &packed);
    }

    /// Numbers in single precision, packed.
    pub fn floats(&mut self, field: u32, values: &[f32]) {
        let packed: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.bytes(field, &packed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_format() {
        let mut message = ProtoMessage::default();
        message.int(1, 150);
        assert_eq!(message.into_bytes(), [0x08, 0x96, 0x01]);
        let mut message = ProtoMessage::default();
        message.bytes(2, b"testing");
        assert_eq!(message.into_bytes(), [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]);
        let mut message = ProtoMessage::default();
        message.ints(6, &[3, 270, 86942]);
        assert_eq!(message.into_bytes(), [0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05]);
        let mut message = ProtoMessage::default();
        message.int(1, -1);
        assert_eq!(message.into_bytes().len(), 11);
    }
}
