const DATE = /(?<!\d)((?:19|20)\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)/;
const TIME = /^(?:[ _T-]{1,3}|\s*at\s*)([01]\d|2[0-3])[-_.:]?([0-5]\d)[-_.:]?([0-5]\d)(?!\d)/i;

/** The local time in a name such as `Screenshot 2026-03-01 at 14.05.59.png` or `IMG_20260301_140559.jpg`, in milliseconds since 1970. */
export function timeInName(name: string): number | undefined {
  const date = DATE.exec(name);
  if (!date) return undefined;
  const time = TIME.exec(name.slice(date.index + date[0].length));
  // A date alone leaves the order of pictures open: the file's time is better.
  if (!time) return undefined;
  const [year, month, day, hour, minute, second] = [...date.slice(1), ...time.slice(1)].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const moment = new Date(year, month - 1, day, hour, minute, second);
  // 31 February would become 3 March.
  return moment.getDate() === day ? moment.getTime() : undefined;
}
