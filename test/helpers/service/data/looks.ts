import { getProfile, putAvatar } from '#api/auth/user.ts';
import { putLogo } from '#api/branding.ts';
import { getConfig } from '#api/config.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import type { SignedIn } from '#test/helpers/service/service.ts';

const form = (file: Buffer) => {
  const made = new FormData();
  made.append('file', new Blob([new Uint8Array(file)]), 'picture.jpg');
  return made;
};

/** Gives an admin an avatar and the site a logo, and returns {@link looksOf} them. */
export async function setLooks(admin: SignedIn) {
  await admin.client.send(putAvatar, form(await photoJpeg({ seed: 71 })));
  await admin.client.send(putLogo, form(await photoJpeg({ width: 300, height: 100, seed: 72 })));
  const looks = await looksOf(admin);
  for (const { status } of looks) if (status !== 200) throw new Error(`an avatar or logo returns ${status}`);
  return looks;
}

/** The user's avatar and the site's logo in all sizes: addresses, statuses and content. */
export async function looksOf({ client, fetch }: SignedIn) {
  const { avatar_url } = await client.call(getProfile, {});
  const { logo } = await client.call(getConfig, {});
  const addresses = [avatar_url, `${avatar_url}&size=256`, logo?.url, '/api/v1/branding/icon', '/api/v1/branding/tile'];
  return Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(`${address}`);
      return { address, status: response.status, content: Buffer.from(await response.arrayBuffer()).toString('base64') };
    }),
  );
}
