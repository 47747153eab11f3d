// Measures LiquidJS for benches/liquidjs.rs. A line {"template": …, "context": …} sets the subject and answers with its output,
// warm; a line {"work": "parse" | "render", "count": n} does it n times and answers with the microseconds of processor time each took.
import { createInterface } from "node:readline";
import { engine } from "./engine.mjs";

const WARM = 5000;
const liquid = engine("2026-01-01T00:00:00Z");
let source, context, template;
const work = {
  parse: () => liquid.parse(source),
  render: () => liquid.renderSync(template, context),
};

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + "\n");
}

function answer(question) {
  if (question.work) return { microseconds: measure(work[question.work], question.count) };
  ({ template: source, context } = question);
  template = work.parse();
  const heavy = work.render().length > 20_000;
  measure(work.parse, WARM);
  measure(work.render, heavy ? WARM / 5 : WARM);
  return { output: work.render() };
}

function measure(task, count) {
  const start = process.cpuUsage();
  for (let i = 0; i < count; i++) task();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}
