// Uploads pictures, tags them, and prints a Markdown table of thumbnails that link to the pictures.
//   PIXDOCK_URL=https://pics.example.org PIXDOCK_TOKEN=pxd_… node docs/examples/gallery-table.ts *.jpg
// The token needs the scope «full», because a token that may only upload cannot tag.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ApiError, createClient } from '#api/client.ts';
import { updateImage } from '../../api/images/changes.ts';
import { upload } from '../../api/images/upload.ts';

// biome-ignore lint/style/noProcessEnv: a script of its own, outside the app's configuration
const { PIXDOCK_URL = 'http://127.0.0.1:7410', PIXDOCK_TOKEN } = process.env;
const client = createClient({ baseUrl: PIXDOCK_URL, ...(PIXDOCK_TOKEN && { token: PIXDOCK_TOKEN }) });

console.log('| Picture | Name |\n|---|---|');
for (const path of process.argv.slice(2)) {
  const form = new FormData();
  form.append('file', new Blob([await readFile(path)]), basename(path));
  try {
    const { key, name, links } = await client.send(upload, form);
    await client.call(updateImage, { params: { key }, body: { tags: ['table'] } });
    console.log(`| [![](${links.thumbnail_url}?w=200)](${links.url}) | ${name} |`);
  } catch (error) {
    // `code` is for programs, `message` for people.
    if (!(error instanceof ApiError)) throw error;
    console.error(`${path}: ${error.message} (${error.code})`);
    process.exitCode = 1;
  }
}
