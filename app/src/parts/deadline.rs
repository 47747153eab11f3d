//! The deadline, counting down.

use gloo_timers::callback::Interval;
use leptos::prelude::*;

/// Counts down from `left` milliseconds and calls `due` once when there are none; the server's word is final, so
/// `due` is handed a way to count on.
///
/// On the server it shows what is left at that moment. In the browser it counts from there by the browser's clock,
/// whose absolute time does not matter.
#[component]
pub fn Deadline(
    /// Milliseconds until the deadline when the page was made.
    left: u64,
    /// Whether the request has ended, so that there is nothing to count.
    over: Signal<bool>,
    /// Called at the end of the count; takes what continues it.
    due: Callback<Callback<u64>>,
) -> impl IntoView {
    let shown = RwSignal::new(seconds(left));
    let close = Memo::new(move |_| shown.get() <= 60);
    Effect::new(move |_| {
        let end = StoredValue::new(js_sys::Date::now() + ms(left) - since_navigation());
        let asked = StoredValue::new(false);
        let again = Callback::new(move |left| {
            end.set_value(js_sys::Date::now() + ms(left));
            asked.set_value(false);
        });
        let tick = move || {
            if over.get_untracked() {
                return;
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "not negative, and days at most"
            )]
            let left = (end.get_value() - js_sys::Date::now()).max(0.0) as u64;
            shown.set(seconds(left));
            if left == 0 && !asked.get_value() {
                asked.set_value(true);
                due.run(again);
            }
        };
        tick();
        let interval = StoredValue::new_local(Some(Interval::new(250, tick)));
        on_cleanup(move || drop(interval.try_update_value(Option::take)));
    });
    view! {
        <span class="deadline" class:close=close role="timer" hidden=over>
            "Expires in "
            {move || clock(shown.get())}
        </span>
    }
}

/// How long ago something was, in words.
pub fn ago(ms: u64) -> String {
    let (count, unit) = match ms / 60_000 {
        0 => return "just now".to_owned(),
        minutes @ 1..=59 => (minutes, "minute"),
        minutes @ 60..=1439 => (minutes / 60, "hour"),
        minutes => (minutes / 1440, "day"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

/// Whole seconds, the one that has begun counted: nothing is left only when nothing is left.
fn seconds(ms: u64) -> u64 {
    ms.div_ceil(1000)
}

/// The last hour in minutes, so that the text keeps its width where it matters: an hour is what most requests last.
fn clock(seconds: u64) -> String {
    let (days, hours, minutes, rest) = (seconds / 86_400, seconds / 3600, seconds / 60, seconds % 60);
    match days {
        0 if seconds <= 3600 => format!("{minutes}:{rest:02}"),
        0 => format!("{hours}:{:02}:{rest:02}", minutes % 60),
        1 => format!("1 day {} h", hours % 24),
        _ => format!("{days} days {} h", hours % 24),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a week of milliseconds is far below 2^53")]
fn ms(left: u64) -> f64 {
    left as f64
}

/// Milliseconds since the page began to load: the page was made no earlier than that.
fn since_navigation() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_in_words() {
        assert_eq!(
            [0, 59, 60, 3600, 3661, 90_000, 600_000].map(clock),
            ["0:00", "0:59", "1:00", "60:00", "1:01:01", "1 day 1 h", "6 days 22 h"]
        );
        assert_eq!(
            [0, 60_000, 150_000, 7_200_000, 90_000_000].map(ago),
            ["just now", "1 minute ago", "2 minutes ago", "2 hours ago", "1 day ago"]
        );
        assert_eq!([0, 1, 1000, 1001].map(seconds), [0, 1, 1, 2]);
    }
}
