import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import type { KeptRights, StripPlan } from '#server/platform/imaging/metadata/plan.ts';
import { planStrip, writeStripped } from '#server/platform/imaging/metadata/strip.ts';

/** A complete JPEG without its metadata, and the plan for that. @throws DamagedImageError */
export async function strippedJpeg(file: Buffer, rights?: KeptRights): Promise<{ plan: StripPlan; stored: Buffer }> {
  await using bytes = await ImageBytes.open(file);
  const plan = await planStrip(bytes, 'jpeg', rights);
  const parts: Buffer[] = [];
  await writeStripped({ path: '', bytes: file }, plan, { write: async (part) => void parts.push(Buffer.from(part)) });
  return { plan, stored: Buffer.concat(parts) };
}
