import { expect, it } from 'vitest';
import { copyPathOf, unknownInCopyName } from '#api/desktop/copy-name.ts';

const picture = { at: new Date(2026, 10, 8, 9, 5, 7), app: 'Screenshot', name: 'screenshot-1.PNG' };

it.each([
  ['{app} {date} {time}', 1, ['Screenshot 2026-11-08 09-05-07.png']],
  ['{app} {date} {time}', 3, ['Screenshot 2026-11-08 09-05-07 (3).png']],
  ['shot {n}', 3, ['shot 3.png']],
  ['{date}/{name}', 1, ['2026-11-08', 'screenshot-1.png']],
  // Leads nowhere else, whatever is typed.
  ['../../{name}', 1, ['picture', 'picture', 'screenshot-1.png']],
  ['/etc//{name}', 1, ['etc', 'screenshot-1.png']],
  ['C:\\temp\\{name}', 1, ['C__temp_screenshot-1.png']],
  ['con', 1, ['picture con.png']],
  ['{date}/', 1, ['2026-11-08.png']],
  ['/', 1, ['screenshot-1.png']],
])('names “%s”, attempt %i', (template, number, path) => {
  expect(copyPathOf(template, picture, number)).toEqual(path);
});

it('keeps names of other sources from leading elsewhere', () => {
  expect(copyPathOf('{name}', { ...picture, name: '../x/y.jpeg' }, 1)).toEqual(['_x_y.jpeg']);
  expect(copyPathOf('{name}', { ...picture, name: 'no extension' }, 1)).toEqual(['no extension.png']);
});

it('finds placeholders that mean nothing', () => {
  expect(unknownInCopyName('{date} {day} {} {n}')).toEqual(['{day}', '{}']);
});
