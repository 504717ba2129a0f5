/** The name of a capture, in local time: `clipboard-20261121-034210-123.png`. */
export function captureName(kind: 'clipboard' | 'screenshot' | 'recording' | 'dropped', at: Date, ext: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`;
  const time = `${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}-${String(at.getMilliseconds()).padStart(3, '0')}`;
  return `${kind}-${date}-${time}.${ext}`;
}
