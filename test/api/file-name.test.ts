import { expect, it } from 'vitest';
import { fileNameOf } from '#api/file-name.ts';

const FAMILY = '👨‍👩‍👧‍👦';

it.each([
  ['harbour.JPEG', 'harbour.jpg'],
  ['长'.repeat(120), `${'长'.repeat(83)}.jpg`],
  [`${'长'.repeat(120)}.png`, `${'长'.repeat(83)}.jpg`],
  ['x'.repeat(300), `${'x'.repeat(251)}.jpg`],
  [FAMILY.repeat(20), `${FAMILY.repeat(10)}.jpg`],
  ['é'.normalize('NFD').repeat(200), `${'é'.repeat(125)}.jpg`],
  ['../../etc/passwd', '_.._etc_passwd.jpg'],
  ['a/b\\c:d*e?f"g<h>i|j', 'a_b_c_d_e_f_g_h_i_j.jpg'],
  ['CON', 'picture CON.jpg'],
  ['nul.tar.gz', 'picture nul.tar.jpg'],
  ['com1', 'picture com1.jpg'],
  ['LPT¹', 'picture LPT¹.jpg'],
  ['console', 'console.jpg'],
  ['.hidden', 'hidden.jpg'],
  ['trailing. . ', 'trailing.jpg'],
  ['invoice\u202egpj.exe', 'invoicegpj.jpg'],
  ['a\u001b[31mb\nc', 'ab c.jpg'],
  ['', 'picture.jpg'],
  ['...', 'picture.jpg'],
  ['.jpg', 'picture.jpg'],
  ['\u200b', 'picture.jpg'],
  ['half \ud83d', 'half \ufffd.jpg'],
])('makes %j the file %j', (name, file) => {
  expect(fileNameOf(name, 'jpg')).toBe(file);
});

it('never cuts the extension, nor what makes a name unique', () => {
  for (const name of ['长'.repeat(400), `${'a '.repeat(200)}`, FAMILY.repeat(50), `${'.'.repeat(400)}`, `a${'\u0301'.repeat(400)}`])
    for (const ending of ['', ' (2)', '-b7Rk2mQx9LpT', ' (123456)'])
      for (const ext of ['jpg', 'webp', 'zip']) {
        const file = fileNameOf(name, ext, ending);
        expect(Buffer.byteLength(file)).toBeLessThanOrEqual(255);
        expect(file.endsWith(`${ending}.${ext}`)).toBe(true);
        expect(file).toBe(file.toWellFormed());
        expect(file).toMatch(/^[^\s.]/);
      }
});
