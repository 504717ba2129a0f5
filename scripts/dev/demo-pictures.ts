// Draws the pictures of the demo data: what teams share, from applications that don't exist.
import { extname } from 'node:path';
import sharp from 'sharp';

/** Each kind with its size in pixels. */
const KINDS = {
  landscape: { size: [1600, 1067], paint: landscape },
  code: { size: [1600, 1000], paint: code },
  terminal: { size: [1500, 860], paint: terminal },
  chart: { size: [1600, 940], paint: chart },
  board: { size: [1600, 1000], paint: board },
  customers: { size: [1600, 940], paint: customers },
  screens: { size: [1500, 1060], paint: screens },
  plan: { size: [1400, 1050], paint: plan },
  diagram: { size: [1600, 900], paint: diagram },
  map: { size: [1500, 1050], paint: map },
} satisfies Record<string, { size: [number, number]; paint(width: number, height: number, random: Random): string }>;

/** A generated picture; the same drawing is the same picture every time. */
export interface Drawing {
  kind: keyof typeof KINDS;
  seed: number;
  /** Only landscapes can be. */
  portrait?: boolean;
}

/** The drawing as a file, in the format of the name's extension. */
export async function draw({ kind, seed, portrait = false }: Drawing, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const { size, paint } = KINDS[kind];
  const [width = 0, height = 0] = portrait ? size.toReversed() : size;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${paint(width, height, randomNumbers(seed + 1))}</svg>`;
  const format = { '.png': 'png', '.webp': 'webp' } as const;
  return new Uint8Array(
    await sharp(Buffer.from(svg))
      .toFormat(format[extname(name) as keyof typeof format] ?? 'jpeg')
      .toBuffer(),
  );
}

type Random = (from: number, to: number) => number;

/** Numbers that are the same for the same seed (mulberry32). */
function randomNumbers(seed: number): Random {
  let state = seed * 0x9e3779b9;
  return (from, to) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return from + (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (to - from);
  };
}

const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random(0, values.length))] as T;

interface Look {
  size?: number;
  fill?: string;
  bold?: boolean;
  mono?: boolean;
  anchor?: 'start' | 'middle' | 'end';
}

const escaped = (content: string) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const text = (x: number, y: number, content: string, { size = 22, fill = '#1f2933', bold, mono, anchor = 'start' }: Look = {}) =>
  `<text x="${x}" y="${y}" font-family="${mono ? 'DejaVu Sans Mono, Menlo, Consolas, monospace' : 'Liberation Sans, Helvetica, Arial, sans-serif'}" font-size="${size}" font-weight="${bold ? 700 : 400}" fill="${fill}" text-anchor="${anchor}" xml:space="preserve">${escaped(content)}</text>`;

const box = (x: number, y: number, width: number, height: number, fill: string, { radius = 0, stroke = 'none', line = 2 } = {}) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" stroke="${stroke}" stroke-width="${line}"/>`;

/** A text in a coloured pill, as labels have it. */
const label = (x: number, y: number, content: string, hue: number) =>
  box(x, y, 22 + content.length * 10.4, 32, `hsl(${hue} 70% 92%)`, { radius: 16 }) +
  text(x + 11 + content.length * 5.2, y + 22, content, { size: 18, fill: `hsl(${hue} 60% 30%)`, anchor: 'middle' });

const person = (x: number, y: number, name: string, hue: number) =>
  `<circle cx="${x}" cy="${y}" r="20" fill="hsl(${hue} 45% 45%)"/>${text(x, y + 7, name.slice(0, 1), { size: 20, fill: 'white', bold: true, anchor: 'middle' })}`;

const titleBar = (width: number, title: string, fill: string, ink: string) =>
  box(0, 0, width, 60, fill) +
  ['#ff5f57', '#febc2e', '#28c840'].map((colour, index) => `<circle cx="${36 + index * 32}" cy="30" r="10" fill="${colour}"/>`).join('') +
  text(width / 2, 38, title, { fill: ink, anchor: 'middle' });

/** Hills in front of each other, below the sun, with firs on the nearest. */
function landscape(width: number, height: number, random: Random): string {
  const [top, low, hills, sunlight] = pick(random, [
    ['#2b5c8a', '#f6d6b8', 212, '#fff1d6'],
    ['#3b3a72', '#f29e6d', 258, '#ffd9a0'],
    ['#5aa4d6', '#e6f3f7', 160, '#fffbe8'],
    ['#1f2a4d', '#8fb3d9', 225, '#f4f6ff'],
    ['#7fb7be', '#fbe9d0', 105, '#fff6dc'],
  ] as const);
  const sky = `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="0.75" stop-color="${low}"/></linearGradient>`;
  const [x, y, radius] = [random(0.2, 0.8) * width, random(0.15, 0.4) * height, random(0.03, 0.06) * width];
  const sun = `<circle cx="${x}" cy="${y}" r="${radius * 2.4}" fill="${sunlight}" opacity="0.25"/><circle cx="${x}" cy="${y}" r="${radius}" fill="${sunlight}"/>`;
  const layers = [0, 1, 2, 3].map((layer) => {
    const base = height * (0.5 + layer * 0.13);
    const steps = 14 + layer * 6;
    const points = Array.from(
      { length: steps + 1 },
      (_, step) => [(step / steps) * width, base - random(0, 0.2 - layer * 0.04) * height] as const,
    );
    const fill = `hsl(${hills} ${18 + layer * 6}% ${66 - layer * 15}%)`;
    const firs =
      layer < 3
        ? ''
        : points.flatMap(([px, py]) => [0, 1, 2].map(() => fir(px + random(-60, 60), py + random(20, 70), random(50, 110)))).join('');
    return `<polygon points="0,${height} ${points.map((point) => point.join(',')).join(' ')} ${width},${height}" fill="${fill}"/>${firs}`;
  });
  function fir(at: number, foot: number, tall: number) {
    return `<polygon points="${at},${foot - tall} ${at + tall * 0.28},${foot} ${at - tall * 0.28},${foot}" fill="hsl(${hills} 38% 13%)"/>`;
  }
  return `<defs>${sky}</defs><rect width="100%" height="100%" fill="url(#sky)"/>${sun}${layers.join('')}`;
}

const SNIPPETS = [
  `// Fare zones that a trip crosses, without duplicates.
export function zonesOf(trip: Trip): Zone[] {
  const seen = new Set<string>();
  return trip.stops.flatMap(({ zone }) => {
    if (seen.has(zone.id)) return [];
    seen.add(zone.id);
    return [zone];
  });
}

export function fareOf(trip: Trip, tariff: Tariff): Cents {
  const zones = zonesOf(trip).length;
  // Two zones are the cheapest ticket.
  const steps = Math.max(2, zones);
  return tariff.base + steps * tariff.perZone;
}`,
  `# Retries a delivery until the depot has confirmed it.
async def deliver(parcel: Parcel, attempts: int = 5) -> Receipt:
    for attempt in range(attempts):
        try:
            async with depot.connect(timeout=3) as line:
                return await line.confirm(parcel.id)
        except TimeoutError:
            await sleep(2 ** attempt)
    raise Undelivered(parcel.id, attempts)


def test_retries_until_confirmed():
    depot = Depot(failures=2)
    receipt = run(deliver(Parcel("A-117")))
    assert receipt.attempts == 3
    assert depot.calls == ["A-117"] * 3`,
  `-- Which routes were late last month, and by how much?
WITH late AS (
  SELECT route_id, delay_s
  FROM arrivals
  WHERE day >= date '2026-10-01'
    AND delay_s > 180
)
SELECT r.name,
       count(*)                         AS arrivals,
       round(avg(delay_s) / 60, 1)      AS minutes
FROM late
JOIN routes AS r ON r.id = late.route_id
GROUP BY r.name
ORDER BY minutes DESC
LIMIT 20;`,
];
const SYNTAX =
  /(?<comment>(?:\/\/|--|# ).*$)|(?<string>"[^"]*"|'[^']*')|(?<keyword>\b(?:export|function|const|return|if|new|async|def|for|in|try|with|as|await|except|raise|assert|WITH|AS|SELECT|FROM|WHERE|AND|JOIN|ON|GROUP|ORDER|BY|DESC|LIMIT|date)\b)|(?<number>\b\d+\b)/g;

/** A line with the colours of its parts. */
function highlighted(line: string, colours: Record<string, string>): string {
  let end = 0;
  const parts = [...line.matchAll(SYNTAX)].map(({ index, groups = {}, 0: found }) => {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? '';
    const before = escaped(line.slice(end, index));
    end = index + found.length;
    return `${before}<tspan fill="${colours[kind]}">${escaped(found)}</tspan>`;
  });
  return parts.join('') + escaped(line.slice(end));
}

/** An editor for programs, with a file that it shows. */
function code(width: number, height: number, random: Random): string {
  const which = Math.floor(random(0, SNIPPETS.length));
  const dark = random(0, 1) < 0.6;
  const [paper, bar, ink, faint] = dark ? ['#1e2230', '#171a25', '#d7dce8', '#5b647d'] : ['#fbfaf6', '#ece9e0', '#2d3138', '#a39f92'];
  const colours = dark
    ? { comment: '#7f8aa8', string: '#a5d6a0', keyword: '#8ab4ff', number: '#f2b577' }
    : { comment: '#8a8674', string: '#2f7d4f', keyword: '#7a3eb1', number: '#b4561a' };
  const files = [
    ['fare.ts', 'stops.ts', 'tariff.ts', 'zones.ts', 'trip.test.ts'],
    ['depot.py', 'deliver.py', 'parcel.py', 'routes.py', 'test_deliver.py'],
    ['arrivals.sql', 'late.sql', 'routes.sql', 'stops.sql', 'weekly.sql'],
  ][which] as string[];
  const list = files.map((name, index) => text(44, 196 + index * 48, name, { fill: index === 1 ? ink : faint, mono: true, size: 20 }));
  const lines = (SNIPPETS[which] ?? '')
    .split('\n')
    .map(
      (line, index) =>
        text(380, 190 + index * 46, String(index + 1), { size: 24, fill: faint, mono: true, anchor: 'end' }) +
        text(412, 190 + index * 46, '', { size: 25, fill: ink, mono: true }).replace('></text>', `>${highlighted(line, colours)}</text>`),
    );
  return `${box(0, 0, width, height, paper)}${box(0, 60, 300, height, bar)}${titleBar(width, `${files[1]} — Lantern`, bar, ink)}
    ${box(300, 60, 230, 64, paper)}${text(415, 100, files[1] ?? '', { fill: ink, anchor: 'middle', size: 20 })}${text(44, 130, 'FILES', { fill: faint, size: 18, bold: true })}
    ${box(300, 156 + 46 * 3, width - 300, 46, dark ? '#272c3d' : '#f1efe6')}${[...list, ...lines].join('')}${box(0, height - 40, width, 40, '#2f6f8f')}
    ${text(24, height - 12, 'main   0 errors   2 warnings', { fill: 'white', size: 18 })}${text(width - 24, height - 12, 'Ln 4, Col 18   UTF-8', { fill: 'white', size: 18, anchor: 'end' })}`;
}

/** What a command has printed. */
function terminal(width: number, height: number, random: Random): string {
  const [green, red, blue, grey] = ['#8bd49c', '#ff8f80', '#7cc5ff', '#7d8794'];
  const seconds = (from: number, to: number) => `${random(from, to).toFixed(1)} s`;
  const lines = pick(random, [
    [
      [`$ heron test --changed`, '#e6edf3'],
      [`  ✓ fares: a trip through two zones              ${seconds(0, 1)}`, green],
      [`  ✓ fares: a day ticket is never dearer          ${seconds(0, 1)}`, green],
      [`  ✗ stops: the last tram leaves before midnight  ${seconds(1, 3)}`, red],
      [``, grey],
      [`    expected 23:58, but the timetable has 00:04`, '#e6edf3'],
      [`      at stops/last-tram.test.ts:41`, grey],
      [``, grey],
      [`  1 failed, ${Math.floor(random(80, 300))} passed in ${seconds(4, 12)}`, red],
      [`$ heron test stops --watch`, '#e6edf3'],
      [`  watching 12 files …`, blue],
    ],
    [
      [`$ ferry deploy --to harbour`, '#e6edf3'],
      [`  building    frontend              ${seconds(8, 20)}`, blue],
      [`  building    timetable             ${seconds(3, 9)}`, blue],
      [`  migrating   0042-add-platforms    ${seconds(0, 2)}`, blue],
      [`  starting    3 of 3 machines`, blue],
      [``, grey],
      [`  ✓ harbour runs 2.4.0   p95 ${Math.floor(random(60, 140))} ms, 0 errors`, green],
      [`    rollback: ferry back 2.3.7`, grey],
      [`$ ferry logs --since 5m | grep -c timeout`, '#e6edf3'],
      [`0`, '#e6edf3'],
    ],
  ] as const);
  const printed = lines.map(([line, fill], index) => text(48, 150 + index * 56, line, { size: 27, fill, mono: true }));
  return `${box(0, 0, width, height, '#10161d')}${titleBar(width, 'mara@harbour: ~/timetable', '#1b232d', grey)}${printed.join('')}${box(48, 124 + lines.length * 56, 16, 32, '#e6edf3')}`;
}

/** A page of figures, with two curves and a bar for each part. */
function chart(width: number, height: number, random: Random): string {
  const [title, unit, parts] = pick(random, [
    ['Ticket sales', 'tickets per hour', ['App', 'Website', 'Machines', 'Counter']],
    ['Search', 'searches per hour', ['Stops', 'Routes', 'Places', 'Help']],
    ['Energy of the depot', 'kilowatt hours', ['Charging', 'Light', 'Heating', 'Workshop']],
  ] as const);
  const hue = pick(random, [200, 168, 262, 18]);
  const [own, other] = [`hsl(${hue} 65% 42%)`, `hsl(${hue + 150} 55% 60%)`];
  const cards = ['Today', 'This week', 'Compared with October'].map((name, index) => {
    const value = index === 2 ? `+${random(2, 18).toFixed(1)} %` : Math.floor(random(2, 9) * 10 ** (3 + index)).toLocaleString('en');
    return `${box(48 + index * 500, 130, 476, 130, 'white', { radius: 14, stroke: '#e2e8ee' })}${text(74, 172, name, { fill: '#66788a', size: 21 }).replace('x="74"', `x="${74 + index * 500}"`)}${text(74 + index * 500, 230, value, { size: 46, bold: true, fill: index === 2 ? '#1b7f4d' : '#1f2933' })}`;
  });
  const [left, right, top, bottom] = [120, 1010, 380, 820];
  const grid = [0, 1, 2, 3, 4].map((step) => {
    const y = bottom - (step / 4) * (bottom - top);
    return `<path d="M${left} ${y}H${right}" stroke="#e2e8ee" stroke-width="2"/>${text(left - 16, y + 7, String(step * 25), { size: 19, fill: '#66788a', anchor: 'end' })}`;
  });
  const curve = (base: number, swing: number) => {
    const shift = random(0, 3);
    return Array.from({ length: 49 }, (_, step) => {
      const day = Math.sin((step / 48) * Math.PI * 4 + shift) * swing;
      return `${left + (step / 48) * (right - left)},${bottom - (bottom - top) * Math.min(0.98, Math.max(0.03, base + day + random(-0.05, 0.05)))}`;
    }).join(' ');
  };
  const line = curve(0.55, 0.25);
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day, index) =>
    text(left + ((index + 0.5) / 7) * (right - left), bottom + 36, day, { size: 19, fill: '#66788a', anchor: 'middle' }),
  );
  const bars = parts.map((part, index) => {
    const share = random(0.3, 1);
    const y = 390 + index * 112;
    return `${text(1110, y, part, { size: 22 })}${text(1510, y, `${Math.round(share * 100)}`, { size: 22, bold: true, anchor: 'end' })}${box(1110, y + 16, 400, 26, '#e9eef3', { radius: 13 })}${box(1110, y + 16, 400 * share, 26, own, { radius: 13 })}`;
  });
  return `${box(0, 0, width, height, '#f4f7f9')}${box(0, 0, width, 90, 'white')}${text(48, 58, title, { size: 36, bold: true })}${text(width - 48, 56, '23 – 29 November 2026', { fill: '#66788a', anchor: 'end' })}${cards.join('')}
    ${box(48, 290, 990, 600, 'white', { radius: 14, stroke: '#e2e8ee' })}${text(74, 336, unit, { fill: '#66788a' })}${box(700, 320, 26, 10, own)}${text(736, 333, 'this week', { size: 20 })}${box(860, 320, 26, 10, other)}${text(896, 333, 'last week', { size: 20 })}
    ${grid.join('')}<polygon points="${left},${bottom} ${line} ${right},${bottom}" fill="${own}" opacity="0.12"/><polyline points="${curve(0.45, 0.22)}" fill="none" stroke="${other}" stroke-width="4"/><polyline points="${line}" fill="none" stroke="${own}" stroke-width="6"/>${days.join('')}
    ${box(1066, 290, 486, 600, 'white', { radius: 14, stroke: '#e2e8ee' })}${bars.join('')}`;
}

const TASKS = [
  'Day tickets for groups',
  'Stops without a lift',
  'Print the timetable',
  'Refund a ticket twice',
  'Dark mode of the map',
  'Sound when a bus turns',
  'Translate into Frisian',
  'Sort routes by number',
  'Slow search on Mondays',
  'Ask before signing out',
  'Bigger type at the stop',
  'Ferry at low tide',
];

/** Tasks in columns. */
function board(width: number, height: number, random: Random): string {
  const columns = ['To do', 'In progress', 'In review', 'Done'];
  const hues = [205, 35, 275, 150];
  let next = Math.floor(random(0, TASKS.length));
  const drawn = columns.map((name, column) => {
    const x = 40 + column * 388;
    const amount = Math.floor(random(2, 4.99));
    const cards = Array.from({ length: amount }, (_, index) => {
      const y = 196 + index * 190;
      const who = pick(random, ['Ada', 'Bea', 'Cleo', 'Dan']);
      return `${box(x + 14, y, 332, 172, 'white', { radius: 12, stroke: '#dfe4ea' })}${text(x + 36, y + 46, TASKS[next++ % TASKS.length] ?? '', { size: 25, bold: true })}${text(x + 36, y + 82, `TRAM-${Math.floor(random(100, 999))}`, { size: 18, fill: '#7b8794' })}${label(x + 34, y + 114, pick(random, ['app', 'design', 'bug', 'maps']), pick(random, [0, 45, 130, 210, 290]))}${person(x + 312, y + 130, who, who.length * 70 + who.charCodeAt(0) * 9)}`;
    });
    return `${box(x, 130, 360, height - 170, '#eceff3', { radius: 16 })}<circle cx="${x + 30}" cy="165" r="9" fill="hsl(${hues[column]} 65% 50%)"/>${text(x + 52, 173, name, { size: 24, bold: true })}${text(x + 334, 173, String(amount), { fill: '#7b8794', anchor: 'end' })}${cards.join('')}`;
  });
  return `${box(0, 0, width, height, '#f8f9fb')}${text(44, 84, 'Timetable 2.4', { size: 38, bold: true })}${text(width - 44, 82, `Sprint ${Math.floor(random(10, 60))}, ends on Friday`, { fill: '#52606d', anchor: 'end' })}${drawn.join('')}`;
}

/** A list with addresses that others shouldn't see. */
function customers(width: number, height: number, random: Random): string {
  const names = ['Ines Calder', 'Tomás Ribeiro', 'Wen Li', 'Priya Nair', 'Jonas Feld', 'Amara Okoye', 'Lotte Visser', 'Sami Haddad'];
  const rows = names.map((name, index) => {
    const y = 236 + index * 82;
    const [first = '', last = ''] = name.toLowerCase().replace('á', 'a').split(' ');
    const plan = pick(random, ['Team', 'Pro', 'Free']);
    return `<path d="M260 ${y + 50}H${width - 40}" stroke="#e7eaee" stroke-width="2"/>${person(300, y, name, index * 47)}${text(342, y + 8, name, { size: 25, bold: true })}${text(640, y + 8, `${first}.${last}@example.org`, { size: 23, fill: '#3e4c59' })}${label(1060, y - 16, plan, { Team: 210, Pro: 280, Free: 120 }[plan] ?? 0)}${text(1300, y + 8, `€ ${Math.floor(random(10, 400))}.00`, { size: 23, anchor: 'end' })}${text(1400, y + 8, index === 3 ? 'overdue' : 'paid', { size: 23, fill: index === 3 ? '#c2310f' : '#1b7f4d', bold: index === 3 })}`;
  });
  const menu = ['Overview', 'Customers', 'Invoices', 'Tickets', 'Settings'].map((name, index) =>
    text(40, 160 + index * 60, name, { size: 24, fill: index === 1 ? 'white' : '#a9bccb', bold: index === 1 }),
  );
  const heads = [
    [342, 'Name'],
    [640, 'Email'],
    [1060, 'Plan'],
    [1226, 'November'],
    [1400, 'Invoice'],
  ] as const;
  return `${box(0, 0, width, height, 'white')}${box(0, 0, 220, height, '#17324a')}${text(40, 76, 'Tidebook', { size: 30, fill: 'white', bold: true })}${menu.join('')}${text(260, 84, 'Customers', { size: 38, bold: true })}${box(1330, 46, 220, 54, '#1c6e8c', { radius: 10 })}${text(1440, 81, 'Add customer', { fill: 'white', anchor: 'middle', bold: true })}
    ${box(260, 130, width - 300, 54, '#f4f6f8')}${heads.map(([x, name]) => text(x, 165, name, { size: 20, fill: '#66788a' })).join('')}${rows.join('')}`;
}

/** A maquette: three screens of an app for phones, with notes. */
function screens(width: number, height: number, random: Random): string {
  const hue = pick(random, [14, 160, 215, 330]);
  const accent = `hsl(${hue} 62% 46%)`;
  const titles = ['Plan a trip', 'Your ticket', 'Departures'];
  const phones = titles.map((title, index) => {
    const x = 90 + index * 460;
    const shell = `${box(x, 110, 380, 800, 'white', { radius: 46, stroke: '#22303c', line: 8 })}${box(x + 140, 128, 100, 22, '#22303c', { radius: 11 })}${text(x + 32, 214, title, { size: 36, bold: true })}`;
    const note = `<circle cx="${x + 190}" cy="964" r="24" fill="${accent}"/>${text(x + 190, 974, String(index + 1), { size: 26, fill: 'white', bold: true, anchor: 'middle' })}`;
    return shell + [search, ticket, list][index]?.(x) + note;
  });
  function search(x: number) {
    const fields = ['From', 'To', 'When'].map(
      (name, index) =>
        `${box(x + 28, 250 + index * 104, 324, 84, '#f3f5f7', { radius: 16 })}${text(x + 48, 282 + index * 104, name, { size: 18, fill: '#66788a' })}${text(x + 48, 316 + index * 104, ['Old Harbour', 'Botanic Garden', 'Now'][index] ?? '', { size: 25 })}`,
    );
    return `${fields.join('')}${box(x + 28, 800, 324, 74, accent, { radius: 37 })}${text(x + 190, 846, 'Show routes', { size: 26, fill: 'white', bold: true, anchor: 'middle' })}`;
  }
  function ticket(x: number) {
    const cells = Array.from({ length: 121 }, (_, cell) =>
      random(0, 1) < 0.5 ? box(x + 80 + (cell % 11) * 20, 480 + Math.floor(cell / 11) * 20, 20, 20, '#22303c') : '',
    );
    return `${box(x + 28, 250, 324, 620, `hsl(${hue} 62% 95%)`, { radius: 24 })}${text(x + 190, 316, 'Day ticket', { size: 30, bold: true, anchor: 'middle' })}${text(x + 190, 362, 'Zones 1 and 2', { size: 24, anchor: 'middle', fill: '#52606d' })}${text(x + 190, 430, 'until 03:00', { size: 28, anchor: 'middle', fill: accent, bold: true })}${cells.join('')}${text(x + 190, 780, 'Show this to the driver', { size: 22, anchor: 'middle' })}`;
  }
  function list(x: number) {
    return ['Harbour', 'Airport', 'Museum', 'North Beach', 'University', 'Zoo']
      .map((stop, index) => {
        const y = 286 + index * 98;
        return `${box(x + 28, y - 36, 64, 48, `hsl(${hue + index * 50} 55% 45%)`, { radius: 10 })}${text(x + 60, y - 3, String(index * 7 + 2), { size: 25, fill: 'white', bold: true, anchor: 'middle' })}${text(x + 112, y - 4, stop, { size: 25 })}${text(x + 350, y - 4, `${Math.floor(random(1, 5) + index * 3)} min`, { size: 23, anchor: 'end', fill: index === 0 ? accent : '#52606d', bold: index === 0 })}<path d="M${x + 28} ${y + 38}h324" stroke="#e7eaee" stroke-width="2"/>`;
      })
      .join('');
  }
  return `${box(0, 0, width, height, '#eef1f4')}${text(90, 70, `Tram app, draft ${Math.floor(random(2, 9))}`, { size: 30, bold: true })}${phones.join('')}`;
}

/** Rooms with names and measures. */
function plan(width: number, height: number, random: Random): string {
  const rooms = [
    [100, 150, 420, 330, 'Workshop'],
    [520, 150, 360, 330, 'Kitchen'],
    [880, 150, 420, 330, 'Studio'],
    [100, 480, 300, 400, 'Store'],
    [400, 480, 480, 400, 'Common room'],
    [880, 480, 420, 220, 'Office'],
    [880, 700, 420, 180, 'Entrance'],
  ] as const;
  const walls = rooms.map(
    ([x, y, w, h, name], index) =>
      `${box(x, y, w, h, index % 3 === 1 ? '#fdf3e1' : index % 3 === 2 ? '#e8f3ee' : '#fffdf8', { stroke: '#2f3b46', line: 9 })}${text(x + w / 2, y + h / 2, name, { size: 29, bold: true, anchor: 'middle' })}${text(x + w / 2, y + h / 2 + 38, `${((w * h) / 5000 + random(-0.5, 0.5)).toFixed(1)} m²`, { size: 23, fill: '#66788a', anchor: 'middle' })}`,
  );
  const doors = [
    [520, 380, 0, 70],
    [880, 290, 0, 70],
    [400, 690, 0, 70],
    [880, 580, 0, 70],
    [650, 480, 80, 0],
    [880, 770, 0, 70],
    [1300, 760, 0, 80],
  ].map(([x, y, dx, dy]) => `<path d="M${x} ${y}l${dx} ${dy}" stroke="#fffdf8" stroke-width="13"/>`);
  const measure = `<path d="M100 116H1300M100 102v28M1300 102v28M66 150V880M52 150h28M52 880h28" stroke="#8a5a2b" stroke-width="3"/>${text(700, 104, '14.40 m', { size: 23, fill: '#8a5a2b', anchor: 'middle' })}`;
  return `${box(0, 0, width, height, '#fffdf8')}${text(100, 66, 'Boathouse, ground floor', { size: 34, bold: true })}${text(1300, 64, '1 : 100', { size: 24, fill: '#66788a', anchor: 'end' })}${walls.join('')}${doors.join('')}${measure}${text(100, 980, `Variant ${pick(random, ['A', 'B', 'C'])}: the wall between kitchen and studio can be moved.`, { size: 25, fill: '#52606d' })}`;
}

/** Parts of a system, and what they send to each other. */
function diagram(width: number, height: number, random: Random): string {
  const hue = pick(random, [205, 150, 265]);
  const nodes = {
    phones: [90, 180, 'Phones', 'tickets, times'],
    displays: [90, 560, 'Displays', 'at 340 stops'],
    gateway: [560, 370, 'Gateway', 'signs in, limits'],
    times: [1040, 150, 'Timetable', 'every 10 seconds'],
    fares: [1040, 400, 'Fares', 'prices, zones'],
    queue: [1040, 650, 'Reports', 'at night'],
  } as const;
  const arrows = [
    ['phones', 'gateway'],
    ['displays', 'gateway'],
    ['gateway', 'times'],
    ['gateway', 'fares'],
    ['gateway', 'queue'],
  ] as const;
  const lines = arrows.map(([from, to]) => {
    const [[x, y], [toX, toY]] = [nodes[from], nodes[to]];
    return `<path d="M${x + 330} ${y + 70}C${x + 420} ${y + 70} ${toX - 110} ${toY + 70} ${toX - 14} ${toY + 70}" fill="none" stroke="#52606d" stroke-width="4" marker-end="url(#head)"/>`;
  });
  const boxes = Object.values(nodes).map(
    ([x, y, name, note], index) =>
      `${box(x, y, 330, 140, index === 2 ? `hsl(${hue} 55% 38%)` : 'white', { radius: 18, stroke: `hsl(${hue} 55% 38%)`, line: 4 })}${text(x + 165, y + 66, name, { size: 33, bold: true, anchor: 'middle', fill: index === 2 ? 'white' : '#1f2933' })}${text(x + 165, y + 104, note, { size: 22, anchor: 'middle', fill: index === 2 ? '#e3eef5' : '#66788a' })}`,
  );
  return `<defs><marker id="head" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L10 5L0 10z" fill="#52606d"/></marker></defs>${box(0, 0, width, height, '#fcfcfa')}${text(90, 92, 'Who asks whom', { size: 38, bold: true })}${lines.join('')}${boxes.join('')}`;
}

/** A walk, on a map with contour lines and a lake. */
function map(width: number, height: number, random: Random): string {
  const ring = (x: number, y: number, radius: number, fill: string, more = '') => {
    const points = Array.from({ length: 24 }, (_, step) => {
      const angle = (step / 24) * 2 * Math.PI;
      const far = radius * (1 + 0.13 * Math.sin(angle * 3 + x) + 0.06 * Math.sin(angle * 5 + y));
      return `${x + Math.cos(angle) * far * 1.3},${y + Math.sin(angle) * far}`;
    });
    return `<polygon points="${points.join(' ')}" fill="${fill}" stroke-linejoin="round" ${more}/>`;
  };
  const hills = [
    [420, 380],
    [1130, 300],
  ].flatMap(([x = 0, y = 0]) =>
    [300, 235, 175, 120, 70, 30].map((radius, index) =>
      ring(x + index * 6, y - index * 5, radius, `hsl(85 34% ${80 - index * 5}%)`, 'stroke="#9a8f5f" stroke-width="2"'),
    ),
  );
  const stops = [
    [150, 900, 'Car park'],
    [330, 650, 'Chapel'],
    [450, 340, 'Two Pines 1,412 m'],
    [780, 470, 'Hut'],
    [1150, 260, 'Gull Peak 1,604 m'],
    [1330, 640, 'Bus stop'],
  ] as const;
  const path = stops
    .map(([x, y], index) => (index === 0 ? `M${x} ${y}` : `S${x + random(-120, 20)} ${y + random(-40, 90)} ${x} ${y}`))
    .join('');
  const names = stops.map(
    ([x, y, name]) =>
      `<circle cx="${x}" cy="${y}" r="13" fill="white" stroke="#b3261e" stroke-width="6"/>${box(x + 24, y - 44, name.length * 13 + 22, 40, '#fffffff0', { radius: 8 })}${text(x + 35, y - 16, name, { size: 24, bold: true })}`,
  );
  return `${box(0, 0, width, height, '#dfe8c4')}${hills.join('')}${ring(880, 800, 130, '#9cc9e3', 'stroke="#5b94b5" stroke-width="3"')}${text(880, 806, 'Mirror Lake', { size: 25, fill: '#2c5f7c', anchor: 'middle' })}<path d="M1010 770C1180 760 1300 820 1500 800" fill="none" stroke="#7fb4d2" stroke-width="9"/>
    <path d="${path}" fill="none" stroke="white" stroke-width="15" stroke-linecap="round"/><path d="${path}" fill="none" stroke="#b3261e" stroke-width="8" stroke-linecap="round" stroke-dasharray="22 14"/>${names.join('')}
    ${box(40, 36, 420, 96, '#fffffff0', { radius: 14 })}${text(64, 78, 'Ridge walk', { size: 30, bold: true })}${text(64, 112, `${random(11, 17).toFixed(1)} km, ${Math.floor(random(6, 11)) * 100} m up, 5 hours`, { size: 22, fill: '#52606d' })}`;
}
