import type { Context } from '#server/core/context.ts';
import type { FormOptions } from '#server/platform/http/form.ts';
import { preferredPolicy } from './options.ts';
import { prepareOptions, rightsToKeep } from './prepare.ts';
import type { Uploader } from './uploader.ts';

/**
 * How to receive the form of an upload. A picture whose metadata will be removed loses them while it arrives (decision 157), unless the form says
 * otherwise in the end.
 * @param policyId the storage policy that the upload will use, unless it names another one
 */
export async function formOptions(
  { policies }: Pick<Context, 'policies'>,
  uploader: Uploader,
  policyId = preferredPolicy(uploader),
): Promise<FormOptions> {
  const { max_file_bytes: maxBytes } = uploader.group;
  if (policyId === undefined) return { maxBytes };
  const { keep_metadata, max_side, convert_to } = await policies.find(policyId);
  const isKept = keep_metadata === 1 && !uploader.through;
  const isEncoded = max_side > 0 || (convert_to !== null && convert_to !== 'jpg');
  return { maxBytes, rights: isKept || isEncoded ? undefined : rightsToKeep(prepareOptions(uploader)) };
}
