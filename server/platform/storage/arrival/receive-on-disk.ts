import { truncate } from 'node:fs/promises';
import { writeStripped } from '#server/platform/imaging/metadata/strip.ts';
import type { SentFile, SentFileWriter, StagedFile, StagedWriter, StrippedFile } from '../staged.ts';
import type { DiskWriter } from './disk-writer.ts';
import type { Received } from './receiver.ts';

/** @param create makes a writer for a copy */
export function receiveOnDisk(writer: DiskWriter, create: () => Promise<StagedWriter>): SentFileWriter {
  const { path, write } = writer;
  let restoring: Promise<StagedWriter> | undefined;

  /** The file with the head that it had. */
  async function restore({ size, head }: Received): Promise<StagedFile | undefined> {
    if (!head) return undefined;
    restoring = create();
    const copy = await restoring;
    const pieces = [{ bytes: head.original }, { from: head.length, to: size - head.original.length + head.length }];
    await writeStripped({ path }, { pieces }, copy);
    return copy.finish();
  }

  function describe(received: Received): SentFile {
    const { size, sha256, stripped } = received;
    let original: Promise<StagedFile> | undefined;
    return {
      size,
      sha256,
      original: () => (original ??= restore(received).then((restored) => restored ?? { path, size, sha256 })),
      stripped: stripped && strippedFile(path, received, stripped),
    };
  }

  return {
    write,
    finish: async () => describe(await writer.finish()),
    async [Symbol.asyncDispose]() {
      await restoring?.then(
        (copy) => copy[Symbol.asyncDispose](),
        () => undefined,
      );
      await writer[Symbol.asyncDispose]();
    },
  };
}

function strippedFile(path: string, received: Received, { plan, size, sha256 }: NonNullable<Received['stripped']>): StrippedFile {
  const written = received.size + (received.head ? received.head.length - received.head.original.length : 0);
  return {
    plan,
    async take() {
      if (size < written) await truncate(path, size);
      return { path, size, sha256 };
    },
  };
}
