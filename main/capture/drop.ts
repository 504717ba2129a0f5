import { createClient } from '#api/client.ts';
import { uploadUrl } from '#api/images/upload.ts';
import { failureOf } from '#main/base/reasons.ts';
import type { Ipc } from '#main/ipc.ts';
import { type Account, asAccount } from '#main/service/account.ts';
import type { BatchResult } from '#main/uploader/uploader.ts';

interface Parts {
  account: Account;
  deliver(batch: BatchResult): Promise<boolean>;
}

/** Handles uploads of pictures by their address. */
export function handleAddressUploads(ipc: Ipc, { account, deliver }: Parts): void {
  ipc.handle({
    /** Has the service fetch the picture, with its rules for addresses. It isn't queued: the address is still in the browser. */
    async uploadAddress(url) {
      const batch = { origin: 'dropped' as const, links: {}, late: false };
      const result = await asAccount(account, (access) =>
        createClient({ baseUrl: access.url }).call(uploadUrl, { query: {}, body: { url }, headers: access.headers }),
      ).then(
        (image) => ({ done: [{ ...image, name: image.name ?? nameOf(url) }], failed: [] }),
        (error: unknown) => {
          console.error('Couldn’t upload a picture by its address:', error);
          return { done: [], failed: [{ name: nameOf(url), failure: failureOf(error) }] };
        },
      );
      await deliver({ ...batch, ...result });
      return undefined;
    },
  });
}

function nameOf(address: string) {
  const { pathname, host } = new URL(address);
  return pathname.split('/').at(-1) || host;
}
