//! Reads a tensor of a `.safetensors`.

use std::borrow::Cow;

use ::safetensors::tensor::TensorView;
use ::safetensors::{Dtype, SafeTensorError, SafeTensors};
use bytemuck::Pod;

use crate::column::{Column, Values, elements};
use crate::fault::{Fault, list};

/// The tensor called `name`, or the only one.
pub fn column<'f>(bytes: &'f [u8], name: Option<&str>) -> Result<Column<'f>, Fault> {
    let tensors = SafeTensors::deserialize(bytes).map_err(damaged)?;
    let mut names = tensors.names();
    names.sort_unstable();
    let name = match (name, &names[..]) {
        (Some(name), _) => name,
        (None, [only]) => only,
        (None, []) => return Err(Fault::new("holds no tensors; save one")),
        (None, _) => {
            let names = list(names.into_iter());
            return Err(Fault::new(format!(
                "holds several tensors; choose one with --column: {names}"
            )));
        }
    };
    let tensor = tensors.tensor(name).map_err(|_| {
        let names = list(names.into_iter());
        Fault::new(format!("has no tensor {name:?}; there are {names}"))
    })?;
    let title = format!("tensor {name:?} of shape {:?}", tensor.shape());
    let values = values(&tensor).map_err(|fault| fault.within(format_args!("tensor {name:?}")))?;
    Ok(Column { title, values })
}

fn values<'f>(tensor: &TensorView<'f>) -> Result<Values<'f>, Fault> {
    Ok(match tensor.dtype() {
        Dtype::F16 => Values::F16(data(tensor)?),
        Dtype::BF16 => Values::Bf16(data(tensor)?),
        Dtype::F32 => Values::F32(data(tensor)?),
        Dtype::F64 => Values::F64(data(tensor)?),
        Dtype::I32 => Values::I32(data(tensor)?),
        Dtype::I64 => Values::I64(data(tensor)?),
        Dtype::U32 => Values::U32(data(tensor)?),
        Dtype::U64 => Values::U64(data(tensor)?),
        other => {
            return Err(Fault::new(format!(
                "holds dtype {other:?}; F16, BF16, F32, F64, I32, I64, U32 or U64 is wanted: convert it before saving"
            )));
        }
    })
}

fn data<'f, T: Pod>(tensor: &TensorView<'f>) -> Result<Cow<'f, [T]>, Fault> {
    elements(tensor.data())
        .ok_or_else(|| Fault::new("its data is no whole number of elements; save it again"))
}

fn damaged(error: SafeTensorError) -> Fault {
    Fault::new(format!(
        "is no whole .safetensors file: {error}; save the tensors again"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let length = (header.len() as u64).to_le_bytes();
        [&length[..], header.as_bytes(), data].concat()
    }

    fn two() -> Vec<u8> {
        let header = r#"{"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]},"b":{"dtype":"I64","shape":[1,1],"data_offsets":[2,10]}}"#;
        file(
            header,
            &[&[0x00, 0x3e][..], &(1_i64 << 62).to_le_bytes()].concat(),
        )
    }

    fn refusal(bytes: &[u8], name: Option<&str>) -> String {
        let line = column(bytes, name).expect_err("refused").to_string();
        assert!(!line.contains('\n'), "{line}");
        line
    }

    #[test]
    fn tensors_by_name_at_any_offset() {
        let bytes = two();
        let a = column(&bytes, Some("a")).expect("read");
        assert!(matches!(&a.values, Values::F16(x) if x[0].to_f32() == 1.5));
        let b = column(&bytes, Some("b")).expect("read");
        assert!(matches!(&b.values, Values::I64(x) if **x == [1 << 62]));
        assert_eq!(b.title, r#"tensor "b" of shape [1, 1]"#);
    }

    #[test]
    fn the_only_tensor_needs_no_name() {
        let header = r#"{"w":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}"#;
        let bytes = file(header, &[0x80, 0x3f, 0x00, 0x40]);
        let w = column(&bytes, None).expect("read");
        assert!(matches!(&w.values, Values::Bf16(x) if x[1].to_f32() == 2.0));
    }

    #[test]
    fn refusals_name_what_there_is() {
        assert!(refusal(&two(), None).contains(r#"choose one with --column: "a", "b""#));
        assert!(refusal(&two(), Some("c")).contains(r#"no tensor "c"; there are "a", "b""#));
        assert!(refusal(&file("{}", &[]), None).contains("no tensors"));
        let header = r#"{"m":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}}"#;
        assert!(refusal(&file(header, &[1]), None).contains(r#"tensor "m": holds dtype BOOL"#));
    }

    #[test]
    fn every_cut_is_refused() {
        let whole = two();
        for length in 0..whole.len() {
            refusal(&whole[..length], Some("a"));
        }
    }
}
