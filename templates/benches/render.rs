//! How long parsing and rendering take: `cargo bench -p sayso-templates --bench render`.

mod fixture;

use criterion::{Criterion, criterion_group, criterion_main};
use sayso_templates::{Budget, Data, Template};
use std::hint::black_box;

criterion_group!(benches, parse, render);
criterion_main!(benches);

fn parse(criterion: &mut Criterion) {
    criterion.bench_function("parse display", |b| b.iter(|| Template::parse(black_box(fixture::DISPLAY))));
    criterion.bench_function("parse rows", |b| b.iter(|| Template::parse(black_box(fixture::ROWS))));
}

fn render(criterion: &mut Criterion) {
    let budget = Budget::default();
    for (name, source, context) in
        [("display", fixture::DISPLAY, fixture::display()), ("500 rows", fixture::ROWS, fixture::rows())]
    {
        let template = Template::parse(source).expect("a template");
        let globals = fixture::globals(&context);
        criterion.bench_function(&format!("render {name}"), |b| {
            b.iter(|| template.render(black_box(&globals), &budget))
        });
        criterion.bench_function(&format!("convert {name}"), |b| b.iter(|| Data::new(black_box(&context))));
    }
}
