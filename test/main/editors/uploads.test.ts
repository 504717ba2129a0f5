import { expect, test } from 'vitest';
import type { Uploaded } from '#api/images/upload.ts';
import { createEditorUploads } from '#main/editors/uploads.ts';
import type { Item } from '#main/journal/item.ts';
import { uploadedImage } from '#test/cli/scripted-service.ts';

/** The fields of what has been queued. */
const sent: unknown[] = [];

/** Uploads for editors, through an uploader that succeeds with this image. */
function editorUploads(image: Uploaded, isPaused = false) {
  const item = { id: '1', name: 'cat.jpg', state: 'done' } as Item;
  const unused = () => {
    throw new Error('not needed here');
  };
  return createEditorUploads({
    uploader: {
      send: (items) => {
        sent.push(...items.map(({ fields }) => fields));
        return [Promise.resolve({ item, image, isLast: true })];
      },
      summary: () => ({ isPaused }),
      change: () => undefined,
      onChange: () => () => undefined,
    },
    spool: { keep: unused, adopt: unused, remove: unused, posterOf: unused, keepPoster: unused, clean: unused },
    clipboard: { read: unused },
    account: { access: async () => ({ url: 'http://127.0.0.1:1', headers: {} }) },
    takesVideos: async () => false,
    preferences: () => ({ editorVisibility: 'public', editorConvert: 'webp', editorAlbums: ['one', 'two'] }),
    describe: ({ message }) => message,
  });
}

const imageUrl = async (image: Uploaded) => {
  const [result] = await editorUploads(image).upload({ kind: 'paths', paths: ['/cat.jpg'] });
  return result?.imgUrl;
};

test('returns the direct link of a picture, which goes into the albums for editors, in their format', async () => {
  const image = uploadedImage();
  expect(await imageUrl(image)).toBe(image.links.url);
  expect(sent.at(-1)).toEqual({ visibility: 'public', convert: 'webp', albums: 'one,two' });
});

test("returns the share page of a view-limited picture, so that the editor's previews spend no views", async () => {
  const image = { ...uploadedImage(), max_views: 3 };
  expect(await imageUrl(image)).toBe(image.links.share_url);
});

test('refuses at once while uploads are paused, and queues nothing', async () => {
  const refused = editorUploads(uploadedImage(), true).upload({ kind: 'paths', paths: ['/cat.jpg'] });
  await expect(refused).rejects.toMatchObject({ text: 'uploadsArePaused' });
});
