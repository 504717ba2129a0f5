import { expect, it, onTestFinished } from 'vitest';
import { type ParseJob, Parser } from '#cli/markdown/parser.ts';

function parserWith(limits: ConstructorParameters<typeof Parser>[1], signal = new AbortController().signal) {
  const parser = new Parser(signal, limits);
  onTestFinished(() => parser[Symbol.asyncDispose]());
  return parser;
}

const GOOD: ParseJob = { text: '![](a.png) <img src=b.png>', isHtml: false };
const EVIL: ParseJob = { text: `${'!['.repeat(20_000)}a${'](a.png)'.repeat(20_000)}`, isHtml: false };

it('finds pictures in Markdown and HTML', async () => {
  const parser = parserWith({});
  expect((await parser.picturesOf(GOOD)).map(({ target }) => target)).toEqual(['a.png', 'b.png']);
  expect((await parser.picturesOf({ ...GOOD, isHtml: true })).map(({ target }) => target)).toEqual(['b.png']);
});

it('gives up on a text that takes too long, in a time that grows with its length, and reads the next', async () => {
  const parser = parserWith({ seconds: 1, secondsPerMillion: 10 });
  await expect(parser.picturesOf(EVIL)).rejects.toThrow('finding its pictures takes more than 4 s, so the file was left alone.');
  expect(await parser.picturesOf(GOOD)).toHaveLength(2);
});

it('gives up on a text that takes too much memory, and reads the next', async () => {
  const parser = parserWith({ heapMib: 24 });
  await expect(parser.picturesOf({ text: '![](a.png)\n\n'.repeat(100_000), isHtml: false })).rejects.toThrow('takes too much memory');
  expect(await parser.picturesOf(GOOD)).toHaveLength(2);
});

it('ends at once when the command is interrupted', async () => {
  const controller = new AbortController();
  const parser = parserWith({ seconds: 600 }, controller.signal);
  await parser.picturesOf(GOOD);
  const reading = parser.picturesOf(EVIL);
  controller.abort(new Error('interrupted'));
  await expect(reading).rejects.toThrow('interrupted');
});

it.each([
  ['images', '!['.repeat(1_000)],
  ['brackets', `${'['.repeat(1_000)}${']'.repeat(1_000)}`],
  ['srcset', `<img srcset="${'a'.repeat(200_000)} b"><img srcset="${','.repeat(100_000)}x"><img srcset="${'a, '.repeat(70_000)}">`],
  ['parentheses', `![](b ${'('.repeat(100_000)}`],
  ['spans', '![](b c '.repeat(3_000)],
  ['comments', '<!-- '.repeat(20_000)],
  ['references', '&amp'.repeat(50_000)],
  ['backticks', Array.from({ length: 150 }, (_, index) => `e${'`'.repeat(index)}`).join('')],
  ['table', `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n|${'![](a.png)|'.repeat(500)}`],
  ['definitions', Array.from({ length: 500 }, (_, index) => `[a${index}]: b.png\n\n![a${index}]\n\n`).join('')],
  ['images in HTML', `<div>${'<img src=a.png>'.repeat(130_000)}`],
])('reads many %s in time', async (_, text) => {
  const parser = parserWith({});
  await expect(parser.picturesOf({ text, isHtml: false })).resolves.toBeInstanceOf(Array);
});
