import { ImageBytes } from '#server/platform/imaging/bytes.ts';

/** Opens a file for one call. */
export async function usingBytes<T>(path: string, use: (file: ImageBytes) => Promise<T>): Promise<T> {
  await using file = await ImageBytes.open(path);
  return await use(file);
}
