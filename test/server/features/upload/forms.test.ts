import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { png } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { askForPictures } from '#test/helpers/service/requests.ts';

const { service, owner } = await startFileService();
const token = await owner.token('full');

const TYPE = 'multipart/form-data; boundary=X1';
const IMAGE = 'Content-Type: image/png';
let pictures = 0;

/** A picture of its own for each form. */
const picture = () => png({ width: 8 + ++pictures, height: 8 });

/** A form of one part, with the lines of its header, after others with nothing but a disposition; each character is a byte. */
function formOf(bytes: Buffer, head: string[], { boundary = 'X1', end = '\r\n', before = [] as string[] } = {}): Buffer {
  const others = before.flatMap((disposition) => [`--${boundary}`, `Content-Disposition: form-data; ${disposition}`, '', 'x']);
  const start = Buffer.from([...others, `--${boundary}`, ...head, '', ''].join(end), 'latin1');
  return Buffer.concat([start, bytes, Buffer.from(`${end}--${boundary}--${end}`)]);
}

const utf8 = (text: string) => Buffer.from(text).toString('latin1');

async function post(body: Buffer, type = TYPE) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': body.length };
  const sent = request(`${service.url}/api/v1/upload`, { method: 'POST', agent: false, headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { message, data } = (await json(response)) as { message: string; data: Record<string, unknown> };
  return { status: response.statusCode, message, data };
}

/** Uploads a form whose part has this Content-Disposition after its type; returns the picture's name. */
async function nameOf(disposition: string): Promise<unknown> {
  const { status, message, data } = await post(formOf(await picture(), [`Content-Disposition: form-data${disposition}`, IMAGE]));
  expect(status, message).toBe(200);
  return data.name;
}

describe('a form is accepted', () => {
  it.each([
    ['a quoted filename*', `; name="file"; filename="a.png"; filename*="UTF-8''%E5%8A%B3.png"`, '劳.png'],
    ['a filename* in ISO-8859-1', `; name="file"; filename*=ISO-8859-1''K%FCche.png`, 'Küche.png'],
    ['a filename* in GBK', `; name="file"; filename*=GBK''%C4%E3%BA%C3.png`, '你好.png'],
    ['a filename* without a charset', `; name="file"; filename*=''%E5%8A%B3.png`, '劳.png'],
    ['a filename* that is only a name', '; name="file"; filename*=a%20b.png', 'a b.png'],
    ['a filename* in an unknown charset, beside filename', `; name="file"; filename="b.png"; filename*=x-klingon''%F8.png`, 'b.png'],
    ['a filename* in an unknown charset alone', `; name="file"; filename*=x-klingon''c.png`, 'c.png'],
    ['a filename* with a stray percent sign', `; name="file"; filename*=UTF-8''100%.png`, '100%.png'],
    ['a filename* that isn’t what it says', `; name="file"; filename="d.png"; filename*=UTF-8''%FF.png`, 'd.png'],
    ['a semicolon at the end', '; name="file"; filename="e.png";', 'e.png'],
    ['semicolons in a row', '; ; name="file";; filename="f.png" ; ', 'f.png'],
    ['a name with spaces and no quotes', '; name="file"; filename=my photo.png', 'my photo.png'],
    ['no quotes at all', ';name=file;filename=g.png', 'g.png'],
    ['quotes in the name', '; name="file"; filename="a "quoted" name.png"', 'a "quoted" name.png'],
    ['escaped quotes', '; name="file"; filename="a \\"quoted\\"; name.png"', 'a "quoted"; name.png'],
    ['a quote that nothing closes', '; name="file"; filename="h.png', 'h.png'],
    ['a Windows path', '; name="file"; filename="C:\\new\\i.png"', 'i.png'],
    ['a name in raw UTF-8', utf8('; name="file"; filename="厨房 \u{1f600}.png"'), '厨房 \u{1f600}.png'],
    ['a name in raw GBK', '; name="file"; filename="\xc4\xe3\xba\xc3.png"', '你好.png'],
    ['a name in raw Windows-1252', '; name="file"; filename="Caf\xe9 \x97 \xe9t\xe9.png"', 'Café — été.png'],
    ['no file name', '; name="file"', 'picture.png'],
    ['an empty file name', '; name="file"; filename=""', 'picture.png'],
    ['upper case', '; NAME="file"; FILENAME="j.png"', 'j.png'],
    ['spaces around equals signs', '; name = "file" ; filename = "k.png"', 'k.png'],
    ['an escape of browsers', '; name="file"; filename="%22l%22.png"', '"l".png'],
    ['parameters that nobody knows', '; name="file"; filename="m.png"; size=3; creation-date="Wed, 12 Feb"', 'm.png'],
    ['a name of thousands of letters', `; name="file"; filename="${'n'.repeat(5000)}.png"`, `${'n'.repeat(251)}.png`],
  ])('with %s', async (_name, disposition, expected) => {
    expect(await nameOf(disposition)).toBe(expected);
  });

  it.each([
    ['-XrQHxml_qhW/dc2hip09', 'boundary=-XrQHxml_qhW/dc2hip09'],
    ['===1656457491496===', 'boundary====1656457491496==='],
    ["a'b(c)+_,-./:=?d", "boundary=a'b(c)+_,-./:=?d"],
    ['a b', 'boundary="a b"'],
    ['a b', 'boundary=a b'],
    ['X1', 'boundary=X1;'],
    ['X1', 'Boundary="X1"; charset=UTF-8'],
    ['X1', 'charset=utf-8; boundary=X1 '],
    ['x'.repeat(70), `boundary=${'x'.repeat(70)}`],
    ['--', 'boundary=--'],
  ])('with the boundary %s as %s', async (boundary, parameter) => {
    const form = formOf(await picture(), ['Content-Disposition: form-data; name="file"; filename="a.png"', IMAGE], { boundary });
    expect(await post(form, `multipart/form-data; ${parameter}`)).toMatchObject({ status: 200 });
  });

  it.each<[string, (head: string[], bytes: Buffer) => Buffer]>([
    ['lines that end with LF', (head, bytes) => formOf(bytes, head, { end: '\n' })],
    [
      'lines that end with LF, and a picture with CR at its end',
      (head, bytes) => formOf(Buffer.concat([bytes, Buffer.from('\r')]), head, { end: '\n' }),
    ],
    ['a preamble', (head, bytes) => Buffer.concat([Buffer.from('A form follows.\r\n'), formOf(bytes, head)])],
    ['an epilogue', (head, bytes) => Buffer.concat([formOf(bytes, head), Buffer.from('\r\nThe form is over.\r\n--X1\r\n')])],
    ['a last boundary without dashes', (head, bytes) => Buffer.from(formOf(bytes, head).subarray(0, -4))],
    ['a last boundary with one dash', (head, bytes) => formOf(bytes, head).subarray(0, -3)],
    [
      'a last boundary without dashes, but with the end of its line',
      (head, bytes) => Buffer.concat([formOf(bytes, head).subarray(0, -4), Buffer.from('\r\n')]),
    ],
    [
      'spaces after its boundaries',
      (head, bytes) =>
        Buffer.from(
          formOf(bytes, head)
            .toString('latin1')
            .replaceAll(/--X1(?=\r)/g, '--X1 \t '),
          'latin1',
        ),
    ],
    [
      'lower-case headers',
      (head, bytes) =>
        formOf(
          bytes,
          head.map((line) => line.toLowerCase()),
        ),
    ],
    [
      'a space before colons',
      (head, bytes) =>
        formOf(
          bytes,
          head.map((line) => line.replace(':', ' :')),
        ),
    ],
    [
      'a folded header',
      (head, bytes) =>
        formOf(
          bytes,
          head.map((line) => line.replace('; ', ';\r\n\t')),
        ),
    ],
    ['other headers', (head, bytes) => formOf(bytes, ['Content-Length: 5', 'Content-Transfer-Encoding: binary', 'X-Anything:', ...head])],
    ['the type before the disposition', (head, bytes) => formOf(bytes, head.toReversed())],
    [
      'another disposition',
      (head, bytes) =>
        formOf(
          bytes,
          head.map((line) => line.replace('form-data', 'attachment')),
        ),
    ],
    [
      'a text that begins like its boundary',
      (head, bytes) =>
        Buffer.concat([
          Buffer.from('--X1\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n--X12\r\n-X1\r\n--X\r\n'),
          formOf(bytes, head),
        ]),
    ],
  ])('with %s', async (_name, make) => {
    const bytes = await picture();
    const { status, message, data } = await post(make(['Content-Disposition: form-data; name="file"; filename="a.png"', IMAGE], bytes));
    expect(status, message).toBe(200);
    expect(data.name).toBe('a.png');
  });

  it('with a picture that has no type, no name and no quotes', async () => {
    expect(await post(formOf(await picture(), ['Content-Disposition: form-data; name=file']))).toMatchObject({ status: 200 });
  });

  it('with texts in another charset, of which none is lost', async () => {
    const field = Buffer.from(
      '--X1\r\nContent-Disposition: form-data; name=title\r\nContent-Type: text/plain; charset=GBK\r\n\r\n\xc4\xe3\r\n',
      'latin1',
    );
    const secret = Buffer.from('--X1\r\nContent-Disposition: form-data; name=visibility;\r\n\r\nprivate\r\n');
    const form = formOf(await picture(), ['Content-Disposition: form-data; name="file"; filename="a.png"', IMAGE]);
    const { data } = await post(Buffer.concat([field, secret, form]));
    expect(data).toMatchObject({ visibility: 'private' });
    const details = await owner.fetch(`/api/v1/images/${data.key}`);
    expect((await details.json()).data).toMatchObject({ title: '你', visibility: 'private' });
  });

  it.each([
    ['like files, as Python’s requests does in “files”', '; filename="visibility"', ''],
    ['like files of text', '; filename="visibility"', '\r\nContent-Type: text/plain'],
    ['as bytes', '', '\r\nContent-Type: application/octet-stream'],
    ['as JSON', '', '\r\nContent-Type: application/json; charset=UTF-16LE'],
  ])('with settings that are sent %s, which count', async (_name, parameters, type) => {
    const value = type.includes('UTF-16LE') ? Buffer.from('private', 'utf16le').toString('latin1') : 'private';
    const setting = Buffer.from(
      `--X1\r\nContent-Disposition: form-data; name="visibility"${parameters}${type}\r\n\r\n${value}\r\n`,
      'latin1',
    );
    const form = formOf(await picture(), ['Content-Disposition: form-data; name="file"; filename="a.png"']);
    expect(await post(Buffer.concat([setting, form]))).toMatchObject({ status: 200, data: { visibility: 'private', name: 'a.png' } });
  });
});

describe('a form is refused, with what is wrong', () => {
  const GOOD = ['Content-Disposition: form-data; name="file"; filename="a.png"', IMAGE];
  const dispositionOf = (text: string) => [`Content-Disposition: form-data; ${text}`, IMAGE];

  it.each<[string, string, (bytes: Buffer) => Buffer, string?]>([
    ['The form’s Content-Type names no boundary.', 'no boundary', (bytes) => formOf(bytes, GOOD), 'multipart/form-data'],
    ['The form’s Content-Type names no boundary.', 'an empty boundary', (bytes) => formOf(bytes, GOOD), 'multipart/form-data; boundary='],
    [
      'The form’s boundary is longer than 200 characters.',
      'a long boundary',
      (bytes) => formOf(bytes, GOOD),
      `multipart/form-data; boundary=${'x'.repeat(201)}`,
    ],
    [
      'The form doesn’t contain the boundary that its Content-Type names, “X2”.',
      'another boundary',
      (bytes) => formOf(bytes, GOOD),
      'multipart/form-data; boundary=X2',
    ],
    [
      'The form doesn’t contain the boundary that its Content-Type names, “X1”.',
      'too much before its first boundary',
      (bytes) => Buffer.concat([Buffer.alloc(70_000), formOf(bytes, GOOD)]),
    ],
    [
      'The form continues after its last boundary.',
      'too much after its last boundary',
      (bytes) => Buffer.concat([formOf(bytes, GOOD), Buffer.alloc(70_000)]),
    ],
    ['The form is empty.', 'nothing in it', () => Buffer.alloc(0)],
    ['The form contains no picture. Send it in the field “file”.', 'no parts', () => Buffer.from('--X1--\r\n')],
    [
      'The form contains no picture. Send it in the field “file”.',
      'an empty field for a picture',
      () => formOf(Buffer.alloc(0), ['Content-Disposition: form-data; name="file"; filename=""', 'Content-Type: application/octet-stream']),
    ],
    [
      'The form’s picture is in the field “image”. Send it in the field “file”.',
      'another field',
      (bytes) => formOf(bytes, dispositionOf('name="image"; filename="a.png"')),
    ],
    [
      'The form’s picture is in the field “file[]”. Send it in the field “file”.',
      'a field for several pictures',
      (bytes) => formOf(bytes, dispositionOf('name="file[]"; filename="a.png"')),
    ],
    ['Send one picture per request.', 'two pictures', (bytes) => Buffer.concat([formOf(bytes, GOOD).subarray(0, -8), formOf(bytes, GOOD)])],
    ['Part 1 of the form has no name.', 'a part without a name', (bytes) => formOf(bytes, dispositionOf('filename="a.png"'))],
    ['Part 1 of the form has no name.', 'a part with an empty name', (bytes) => formOf(bytes, dispositionOf('name=""; filename="a.png"'))],
    ['Part 1 of the form has no Content-Disposition.', 'a part without a disposition', (bytes) => formOf(bytes, [IMAGE])],
    ['Part 1 of the form has no Content-Disposition.', 'a part without a header', (bytes) => formOf(bytes, [])],
    [
      'Part 1 of the form has a line in its header without a colon: “name=file”.',
      'a line that is no header',
      (bytes) => formOf(bytes, ['name=file']),
    ],
    [
      'Part 1 of the form has a header longer than 8 KB, or none.',
      'a long header',
      (bytes) => formOf(bytes, ['X: '.padEnd(9000, 'x'), ...GOOD]),
    ],
    [
      'Part 1 of the form has a header longer than 8 KB, or none.',
      'no end of a header',
      () => Buffer.from(`--X1\r\nContent-Disposition: form-data; name="file"\r\n${'x'.repeat(9000)}`),
    ],
    [
      'Part 1 of the form breaks off: the last boundary, “--X1--”, is missing.',
      'an end within a header',
      () => Buffer.from('--X1\r\nContent-Disposition: form-data; name="file"\r\n'),
    ],
    [
      'Part 1 of the form breaks off: the last boundary, “--X1--”, is missing.',
      'an end within a picture',
      (bytes) => formOf(bytes, GOOD).subarray(0, -8),
    ],
    [
      'Part 1 of the form breaks off: the last boundary, “--X1--”, is missing.',
      'an end within a boundary',
      (bytes) => formOf(bytes, GOOD).subarray(0, -5),
    ],
    [
      'Part 1 of the form is encoded as base64. Send its bytes unchanged.',
      'an encoded picture',
      (bytes) => formOf(Buffer.from(bytes.toString('base64')), [...GOOD, 'Content-Transfer-Encoding: base64']),
    ],
    [
      'Part 1 of the form is a form itself. Send each of its parts separately.',
      'a form in a form',
      (bytes) => formOf(bytes, ['Content-Disposition: form-data; name="file"', 'Content-Type: multipart/mixed; boundary=Y']),
    ],
    [
      'Part 1 of the form has an unknown charset, “klingon”. Use UTF-8.',
      'an unknown charset',
      () => formOf(Buffer.from('x'), ['Content-Disposition: form-data; name="title"', 'Content-Type: text/plain; charset=klingon']),
    ],
    [
      'Couldn’t read the form: Too many files.',
      'many files',
      (bytes) => formOf(bytes, GOOD, { before: Array(11).fill(`name="a"; filename="x"\r\n${IMAGE}`) }),
    ],
    [
      'The form has more than 110 parts.',
      'many parts',
      (bytes) => formOf(bytes, GOOD, { before: [...Array(100).fill('name="a"'), ...Array(10).fill(`name="a"; filename="x"\r\n${IMAGE}`)] }),
    ],
    ['Couldn’t read the form: Too many fields.', 'many fields', (bytes) => formOf(bytes, GOOD, { before: Array(101).fill('name="a"') })],
    [
      'Couldn’t read the form: Field name too long.',
      'a long field name',
      (bytes) => formOf(bytes, GOOD, { before: [`name="${'n'.repeat(250)}"`] }),
    ],
  ])('%s (%s)', async (message, _name, make, type = TYPE) => {
    const refusal = await post(make(await picture()), type);
    expect(refusal).toMatchObject({ status: 400, data: { code: 'invalid_request' } });
    expect(refusal.message.startsWith(message), refusal.message).toBe(true);
  });

  it('as another kind of body', async () => {
    const form = formOf(await picture(), GOOD);
    for (const type of ['multipart/mixed; boundary=X1', 'image/png', 'multipart/form-data-x; boundary=X1'])
      expect(await post(form, type)).toMatchObject({ status: 415, data: { code: 'unsupported_media_type' } });
  });
});

it('takes no names of prototypes for settings', async () => {
  const before = ['__proto__', '__proto__[visibility]', 'constructor[prototype][visibility]', 'toString'].map((name) => `name="${name}"`);
  const { status, data } = await post(formOf(await picture(), ['Content-Disposition: form-data; name=file', IMAGE], { before }));
  expect({ status, visibility: data.visibility }).toEqual({ status: 200, visibility: 'public' });
  expect(({} as Record<string, unknown>).visibility).toBeUndefined();
});

const CARELESS = ['Content-Disposition: form-data; name="file"; filename=my photo.png;', IMAGE];

it('reads the forms of request links in the same way', async () => {
  const link = await askForPictures(owner);
  const sent = await fetch(`${service.url}/api/v1/r/${link.id}/upload`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=a/b=c' },
    body: new Uint8Array(formOf(await picture(), CARELESS, { boundary: 'a/b=c' })),
  });
  expect(await sent.json()).toMatchObject({ status: true, data: { name: 'my photo.png' } });
});

it('reads the forms of avatars in the same way', async () => {
  const sent = await owner.fetch('/api/v1/user/avatar', {
    method: 'PUT',
    headers: { 'content-type': 'multipart/form-data; boundary=a/b=c' },
    body: new Uint8Array(formOf(await picture(), CARELESS, { boundary: 'a/b=c' })),
  });
  expect(sent.status).toBe(200);
});
