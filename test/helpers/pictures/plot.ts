// Lines as SVG, over a logarithmic axis of values.

export interface Line {
  name: string;
  /** In ascending order of x. Values of 0 are drawn at the lowest power of ten. */
  points: readonly (readonly [x: number, y: number])[];
}

const WIDTH = 760;
const HEIGHT = 420;
const MARGIN = { left: 70, right: 190, top: 30, bottom: 45 };
const COLOURS = [
  '#2563eb',
  '#dc2626',
  '#059669',
  '#d97706',
  '#7c3aed',
  '#0891b2',
  '#be185d',
  '#4d7c0f',
  '#475569',
  '#92400e',
  '#65a30d',
  '#9333ea',
  '#0f766e',
  '#b45309',
];

/** An axis: a line for each power of ten, or for a tenth of the range. */
export type Scale = 'log' | 'linear';

/** A chart; its vertical axis is logarithmic. */
export function plotLines(title: string, unit: { x: string; y: string }, lines: readonly Line[], across: Scale): string {
  const all = lines.flatMap(({ points }) => points);
  const x = (across === 'log' ? logScale : linearScale)(
    all.map(([value]) => value),
    MARGIN.left,
    WIDTH - MARGIN.right,
  );
  const y = logScale(
    all.map(([, value]) => value),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  );
  const grid = [
    ...x.steps.map(
      (at) =>
        rule(x.at(at), MARGIN.top, x.at(at), HEIGHT - MARGIN.bottom) + text(x.at(at), HEIGHT - MARGIN.bottom + 18, label(at), 'middle'),
    ),
    ...y.steps.map(
      (at) => rule(MARGIN.left, y.at(at), WIDTH - MARGIN.right, y.at(at)) + text(MARGIN.left - 8, y.at(at) + 4, label(at), 'end'),
    ),
  ];
  const labels = spread(lines.map(({ points }) => y.at(points.at(-1)?.[1] ?? 1)));
  const drawn = lines.map(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length] as string;
    const path = points.map(([across, up]) => `${x.at(across).toFixed(1)},${y.at(up).toFixed(1)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${text(WIDTH - MARGIN.right + 10, (labels[index] as number) + 4, name, 'start', colour)}`;
  });
  const named = [
    text(MARGIN.left, 18, unit.y ? `${title}, ${unit.y}` : title, 'start', '#111'),
    text((MARGIN.left + WIDTH - MARGIN.right) / 2, HEIGHT - 8, unit.x, 'middle'),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fff"/>
${[...grid, ...drawn, ...named].join('\n')}
</svg>
`;
}

function logScale(values: readonly number[], from: number, to: number) {
  const above = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...above)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...above))));
  return {
    steps: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
    at: (value: number) => from + ((Math.max(low, Math.log10(value)) - low) / (high - low)) * (to - from),
  };
}

function linearScale(values: readonly number[], from: number, to: number) {
  const most = Math.max(...values);
  return {
    steps: Array.from({ length: 11 }, (_, index) => (most * index) / 10),
    at: (value: number) => from + (value / most) * (to - from),
  };
}

/** Moves labels apart that would overlap. */
function spread(places: readonly number[]): number[] {
  const moved = [...places];
  const order = moved.map((_, index) => index).sort((one, other) => (moved[one] as number) - (moved[other] as number));
  order.forEach((index, rank) => {
    const above = order[rank - 1];
    if (above !== undefined) moved[index] = Math.max(moved[index] as number, (moved[above] as number) + 14);
  });
  return moved;
}

const label = (value: number) =>
  value >= 1 ? value.toLocaleString('en', { maximumFractionDigits: 1 }) : String(Number(value.toPrecision(1)));

const rule = (x1: number, y1: number, x2: number, y2: number) => `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="#ddd"/>`;

function text(x: number, y: number, content: string, anchor: string, colour = '#555') {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}">${content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
}
