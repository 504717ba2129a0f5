import { expect, test } from 'vitest';
import type { Uploaded } from '#api/upload.ts';
import { createEditorUploads } from '#main/editors/uploads.ts';
import type { UploadItem } from '#main/uploader/uploader.ts';
import { uploadedImage } from '#test/cli/scripted-service.ts';

/** Uploads for editors, through an uploader that succeeds with this image. */
function editorUploads(image: Uploaded) {
  const item: UploadItem = { id: '1', state: 'done', source: { path: '/cat.jpg', name: 'cat.jpg', capture: false }, result: image };
  const unused = () => {
    throw new Error('not needed here');
  };
  return createEditorUploads({
    uploader: {
      upload: unused,
      send: () => [Promise.resolve(item)],
      resume: unused,
      retry: unused,
      retryAll: unused,
      discard: unused,
      items: unused,
      onChange: () => () => undefined,
      close: unused,
    },
    captures: { keep: unused, adopt: unused, remove: unused, left: unused },
    clipboard: { read: unused },
    service: {
      status: () => ({ state: 'running', url: 'http://127.0.0.1:1', linkAddress: 'http://127.0.0.1:1' }),
      onStatus: () => () => undefined,
    },
    preferences: () => ({ editorVisibility: 'public', editorAlbum: null }),
  });
}

const imageUrl = async (image: Uploaded) => {
  const [result] = await editorUploads(image).upload({ kind: 'paths', paths: ['/cat.jpg'] });
  return result?.imgUrl;
};

test('returns the direct link of a picture', async () => {
  const image = uploadedImage();
  expect(await imageUrl(image)).toBe(image.links.url);
});

test("returns the share page of a view-limited picture, so that the editor's previews spend no views", async () => {
  const image = { ...uploadedImage(), max_views: 3 };
  expect(await imageUrl(image)).toBe(image.links.share_url);
});
