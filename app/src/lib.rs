use leptos::prelude::*;
use leptos::server_fn::codec::Json;
#[component]
pub fn App() -> impl IntoView {
    let (n, set) = signal(0);
    let rows = RwSignal::new(vec![1, 2, 3]);
    view! { <main><button on:click=move |_| { set.update(|n| *n += 1); leptos::task::spawn_local(async move { let v = submit(serde_json::json!({"a": 1})).await; if let Ok(v) = v { set.set(v) } }) }>{n}</button>
    <ul>{move || rows.get().into_iter().map(|r| view! { <li class:differs=move || n.get() > r>{r}</li> }).collect_view()}</ul>
    <input prop:value=move || n.get() on:input=move |ev| { if let Ok(v) = event_target_value(&ev).parse() { set.set(v) } }/></main> }
}
#[server(input = Json, output = Json)]
pub async fn submit(v: serde_json::Value) -> Result<i32, ServerFnError> {
    Ok(v.as_object().map_or(0, |o| o.len() as i32))
}
