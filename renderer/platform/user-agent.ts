// The order matters: every browser also claims to be those further down.
const PROGRAMS = [
  ['Pixdock', /pixdock/i],
  ['Edge', /edg(?:a|ios)?\//i],
  ['Opera', /opr\//i],
  ['Firefox', /firefox|fxios/i],
  ['Chrome', /chrom(?:e|ium)|crios/i],
  ['Safari', /safari/i],
] as const;
const SYSTEMS = [
  ['Android', /android/i],
  ['iPhone', /iphone/i],
  ['iPad', /ipad/i],
  ['Windows', /windows/i],
  ['macOS', /mac os/i],
  ['Linux', /linux|x11/i],
] as const;

/** A readable browser and system, such as “Firefox · Windows”; for unknown programs the first word. */
export function describeAgent(agent: string): string | undefined {
  const find = (list: readonly (readonly [string, RegExp])[]) => list.find(([, pattern]) => pattern.test(agent))?.[0];
  const known = [find(PROGRAMS), find(SYSTEMS)].filter(Boolean).join(' · ');
  return known || agent.split(/[\s/]/)[0] || undefined;
}
