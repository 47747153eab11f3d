//! Reading what this domain wrote as JSON, in code small enough for a browser.
//!
//! serde's derived readers are made anew for every type and format; of what a page reads they were a fifth of its
//! WASM. Here every type is read from a JSON value, which the page can read in any case. Writing is serde's.

use crate::{Moment, Pointer, ReviewId};
use serde_json::{Number, Value};

/// What can be read from the JSON that serde writes of it. A member that is not there reads as `null`.
pub(crate) trait Wire: Sized {
    fn read(value: Value) -> Option<Self>;
}

/// Reads a struct member by member, and makes that its `Deserialize`.
macro_rules! wire_struct {
    ($type:ident { $($member:ident),+ $(,)? }) => {
        impl $crate::wire::Wire for $type {
            fn read(value: serde_json::Value) -> Option<Self> {
                let serde_json::Value::Object(mut members) = value else { return None };
                $(let $member = $crate::wire::take(&mut members, stringify!($member))?;)+
                Some(Self { $($member),+ })
            }
        }
        $crate::wire::wire_deserialize!($type);
    };
}

/// Reads an enum: a variant with content is an object of one member, one without is a string.
macro_rules! wire_enum {
    ($type:ident { $($name:literal => $variant:ident $(($content:ident))? $({ $($member:ident),+ })?),+ $(,)? }) => {
        impl $crate::wire::Wire for $type {
            fn read(value: serde_json::Value) -> Option<Self> {
                let (name, _content) = $crate::wire::variant(value)?;
                match name.as_str() {
                    $($name => wire_enum!(@variant _content, $variant $(($content))? $({ $($member),+ })?),)+
                    _ => None,
                }
            }
        }
        $crate::wire::wire_deserialize!($type);
    };
    (@variant $value:ident, $variant:ident) => { Some(Self::$variant) };
    (@variant $value:ident, $variant:ident ($content:ident)) => { $crate::wire::Wire::read($value).map(Self::$variant) };
    (@variant $value:ident, $variant:ident { $($member:ident),+ }) => {{
        let serde_json::Value::Object(mut members) = $value else { return None };
        $(let $member = $crate::wire::take(&mut members, stringify!($member))?;)+
        Some(Self::$variant { $($member),+ })
    }};
}

macro_rules! wire_deserialize {
    ($type:ident) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = serde_json::Value::deserialize(deserializer)?;
                $crate::wire::Wire::read(value)
                    .ok_or_else(|| serde::de::Error::custom(concat!("not a ", stringify!($type))))
            }
        }
    };
}

pub(crate) use {wire_deserialize, wire_enum, wire_struct};

/// Takes a member out of an object and reads it.
pub(crate) fn take<T: Wire>(members: &mut crate::Object, name: &str) -> Option<T> {
    T::read(members.swap_remove(name).unwrap_or(Value::Null))
}

/// The name and the content of an enum's variant.
pub(crate) fn variant(value: Value) -> Option<(String, Value)> {
    match value {
        Value::String(name) => Some((name, Value::Null)),
        Value::Object(members) => members.into_iter().next(),
        _ => None,
    }
}

impl Wire for Value {
    fn read(value: Value) -> Option<Self> {
        Some(value)
    }
}

impl Wire for String {
    fn read(value: Value) -> Option<Self> {
        if let Value::String(text) = value { Some(text) } else { None }
    }
}

impl Wire for bool {
    fn read(value: Value) -> Option<Self> {
        match value {
            Value::Bool(yes) => Some(yes),
            Value::Null => Some(false),
            _ => None,
        }
    }
}

impl Wire for u64 {
    fn read(value: Value) -> Option<Self> {
        value.as_u64()
    }
}

impl Wire for Number {
    fn read(value: Value) -> Option<Self> {
        if let Value::Number(number) = value { Some(number) } else { None }
    }
}

impl Wire for Moment {
    fn read(value: Value) -> Option<Self> {
        value.as_i64().map(Self)
    }
}

impl Wire for ReviewId {
    fn read(value: Value) -> Option<Self> {
        value.as_str()?.parse().ok()
    }
}

impl Wire for Pointer {
    fn read(value: Value) -> Option<Self> {
        value.as_str().map(Self::from)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn read(value: Value) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::read(value).map(Some) }
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn read(value: Value) -> Option<Self> {
        match value {
            Value::Array(items) => items.into_iter().map(T::read).collect(),
            Value::Null => Some(Self::new()),
            _ => None,
        }
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn read(value: Value) -> Option<Self> {
        let Value::Array(both) = value else { return None };
        let mut both = both.into_iter();
        Some((A::read(both.next()?)?, B::read(both.next()?)?))
    }
}
