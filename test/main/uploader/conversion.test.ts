import { expect, test } from 'vitest';
import { settle, uploaderIn } from './harness.ts';

test('uploads and drafts are converted as this computer’s preference says, unless they say otherwise', async () => {
  const { uploader, journal, usual, files } = uploaderIn();
  const formatOf = (id = '') => journal.items.get(id)?.fields.convert;
  const [before] = uploader.upload(files('a.png'), 'chosen').ids;
  usual.convert = 'webp';
  const [usually] = uploader.upload(files('b.png'), 'clipboard').ids;
  const [asked] = uploader.upload(
    files('c.png').map((file) => ({ ...file, fields: { convert: 'original', visibility: 'private' } })),
    'window',
  ).ids;
  const [draft] = uploader.keep(files('d.png'), 'capture');
  expect([before, usually, asked, draft].map(formatOf)).toEqual([undefined, 'webp', 'original', 'webp']);
});

test('uploads from editors have their own format', async () => {
  const { uploader, usual, files, now } = uploaderIn();
  usual.convert = 'webp';
  void uploader.send(files('a.png').map((file) => ({ ...file, fields: { visibility: 'public' } })));
  await settle();
  expect(now('a.png').item.fields).toEqual({ visibility: 'public' });
});
