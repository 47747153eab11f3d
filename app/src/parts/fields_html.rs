//! The fields of a form as HTML, written on the server only; the browser takes them over as they stand.

use super::{control_html::control, words::marked};
use leptos::prelude::*;
use sayso_domain::form::{Field, Form};

/// All fields as they start.
pub(super) fn fields(form: &Form) -> String {
    form.fields().iter().enumerate().map(|(index, field)| one(field, index)).collect()
}

fn one(field: &Field, index: usize) -> String {
    let label = field.label().to_owned();
    let [about, hint, fault] = ["about", "hint", "fault"].map(|part| format!("{part}-{index}"));
    let told = match field.description {
        Some(_) => format!("{about} {hint} {fault}"),
        None => format!("{hint} {fault}"),
    };
    let control = control(field, index, field.default.as_ref(), told, false);
    view! {
        <div class="form-field" data-field=field.name.clone() data-row=index>
            <span class="label" aria-hidden="true">
                <bdi inner_html=marked(&label)></bdi>
                {field.required.then(|| view! { <span class="req">"*"</span> })}
            </span>
            {field.description.clone().map(|text| view! { <span class="about" id=about><bdi inner_html=marked(&text)></bdi></span> })}
            <div class="edit">
                {control}
                <span class="hint" id=hint></span>
                <span class="fault" id=fault></span>
            </div>
        </div>
    }
    .to_html()
}
