//! Reads NumPy's `.npy`.

use std::borrow::Cow;

use bytemuck::Pod;
use ndarray::{ArrayView, IxDyn, ShapeBuilder};
use ndarray_npy::npy::header::{Header, ParseHeaderError, ReadHeaderError};

use crate::column::{Column, Values, elements};
use crate::fault::Fault;

/// The array in the file, its last index fastest.
pub fn column<'f>(bytes: &'f [u8], name: Option<&str>) -> Result<Column<'f>, Fault> {
    if let Some(name) = name {
        return Err(Fault::new(format!(
            "a .npy file holds one array and no columns; leave out --column {name:?}"
        )));
    }
    let mut data = bytes;
    let header = Header::from_reader(&mut data).map_err(not_npy)?;
    let descriptor = header.type_descriptor.as_string().map(String::as_str);
    let values = match descriptor {
        Some("<f2") => Values::F16(array(data, &header)?),
        Some("<f4") => Values::F32(array(data, &header)?),
        Some("<f8") => Values::F64(array(data, &header)?),
        Some("<i4") => Values::I32(array(data, &header)?),
        Some("<i8") => Values::I64(array(data, &header)?),
        Some("<u4") => Values::U32(array(data, &header)?),
        Some("<u8") => Values::U64(array(data, &header)?),
        _ => return Err(unsupported(&header)),
    };
    let title = format!("array of shape {:?}", header.shape);
    Ok(Column { title, values })
}

/// The elements, put in order where the last index is not the fastest.
fn array<'f, T: Pod>(data: &'f [u8], header: &Header) -> Result<Cow<'f, [T]>, Fault> {
    let shape = IxDyn(&header.shape).set_f(header.layout.is_fortran());
    let wanted = (header.shape.iter()).try_fold(size_of::<T>(), |bytes, &n| bytes.checked_mul(n));
    let damaged = || {
        let wanted = wanted.map_or_else(|| "more".to_owned(), |wanted| wanted.to_string());
        Fault::new(format!(
            "shape {:?} wants {wanted} bytes of data, but {} follow the header: the file is cut off or damaged; save the array again",
            header.shape,
            data.len()
        ))
    };
    if wanted != Some(data.len()) {
        return Err(damaged());
    }
    let flat = elements(data).ok_or_else(damaged)?;
    let view = ArrayView::from_shape(shape, &flat).map_err(|_| damaged())?;
    if view.is_standard_layout() {
        return Ok(flat);
    }
    Ok(view.iter().copied().collect())
}

fn not_npy(error: ReadHeaderError) -> Fault {
    let reason = match error {
        ReadHeaderError::Io(_) => "it ends within the header".to_owned(),
        // The parser's own message is a picture of several lines.
        ReadHeaderError::Parse(ParseHeaderError::DictParse(_)) => {
            "its header is no dictionary".to_owned()
        }
        ReadHeaderError::Parse(error) => error.to_string(),
    };
    Fault::new(format!(
        "is no .npy array: {reason}; save it with numpy.save"
    ))
}

fn unsupported(header: &Header) -> Fault {
    let found = header.type_descriptor.to_string();
    let advice = match header.type_descriptor.as_string() {
        Some(text) if text.starts_with('>') => ", which is big-endian",
        _ => "",
    };
    Fault::new(format!(
        "holds dtype {found}{advice}; little-endian f2, f4, f8, i4, i8, u4 or u8 is wanted: convert with numpy's astype, for instance astype('<f8')"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        let padded = format!("{header:<117}\n");
        bytes.extend((padded.len() as u16).to_le_bytes());
        bytes.extend(padded.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn header(descriptor: &str, fortran: bool, shape: &str) -> String {
        let fortran = if fortran { "True" } else { "False" };
        format!("{{'descr': {descriptor}, 'fortran_order': {fortran}, 'shape': {shape}, }}")
    }

    fn refusal(bytes: &[u8]) -> String {
        let line = column(bytes, None).expect_err("refused").to_string();
        assert!(!line.contains('\n'), "{line}");
        line
    }

    #[test]
    fn rows_and_columns_come_in_one_order() {
        let numbers: Vec<u8> = (1..=6_i32).flat_map(i32::to_le_bytes).collect();
        for (fortran, wanted) in [(false, [1, 2, 3, 4, 5, 6]), (true, [1, 3, 5, 2, 4, 6])] {
            let bytes = file(&header("'<i4'", fortran, "(2, 3)"), &numbers);
            let column = column(&bytes, None).expect("read");
            assert!(matches!(&column.values, Values::I32(x) if **x == wanted));
            assert_eq!(column.title, "array of shape [2, 3]");
        }
    }

    #[test]
    fn halves_and_single_values() {
        let bytes = file(&header("'<f2'", false, "()"), &0x3e00_u16.to_le_bytes());
        let column = column(&bytes, None).expect("read");
        assert!(matches!(&column.values, Values::F16(x) if x[0].to_f32() == 1.5 && x.len() == 1));
    }

    #[test]
    fn no_elements_are_no_fault() {
        let bytes = file(&header("'<f8'", false, "(0, 3)"), &[]);
        let column = column(&bytes, None).expect("read");
        assert!(matches!(&column.values, Values::F64(x) if x.is_empty()));
    }

    #[test]
    fn other_types_are_refused() {
        let refused = |descriptor| refusal(&file(&header(descriptor, false, "(1,)"), &[0; 8]));
        assert!(refused("'>f8'").contains("'>f8', which is big-endian"));
        assert!(refused("'|b1'").contains("dtype '|b1';"));
        assert!(refused("'<c16'").contains("astype"));
        assert!(refused("[('x', '<f8')]").contains("[('x', '<f8')]"));
    }

    #[test]
    fn damage_is_refused() {
        let whole = file(&header("'<f8'", false, "(2,)"), &[0; 16]);
        for length in 0..whole.len() {
            let line = refusal(&whole[..length]);
            assert!(
                line.contains("ends within the header") || line.contains("is cut off"),
                "{line}"
            );
        }
        assert!(
            refusal(&[&whole[..], &[0]].concat()).contains("wants 16 bytes of data, but 17 follow")
        );
        assert!(refusal(b"PK\x03\x04 not an array").contains("magic"));
        assert!(refusal(&file("{'descr': ", &[])).contains("header is no dictionary"));
        let huge = header("'<f8'", false, "(4294967296, 4294967296, 4294967296)");
        assert!(refusal(&file(&huge, &[0; 8])).contains("wants more bytes"));
        let absurd = header(
            "'<f8'",
            false,
            "(0, 9223372036854775807, 9223372036854775807)",
        );
        assert!(refusal(&file(&absurd, &[])).contains("damaged"));
    }

    #[test]
    fn a_column_is_refused() {
        let whole = file(&header("'<f8'", false, "(0,)"), &[]);
        let line = column(&whole, Some("x")).expect_err("refused").to_string();
        assert!(line.contains(r#"leave out --column "x""#));
    }
}
