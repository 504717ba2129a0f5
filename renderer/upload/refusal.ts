import { LocalRefusal } from '#renderer/service/explain.ts';

/** What is known about the service's limits before anything is sent; 0 bytes means unlimited. */
export interface KnownLimits {
  max_file_bytes: number;
  allowed_exts: readonly string[];
}

/**
 * A reason not to send a file at all: it is larger than allowed, or neither its name nor its type looks like a picture.
 * Only the plainly hopeless is refused here, since the service decides by content.
 */
export function refuse(file: File, limits: KnownLimits | undefined): LocalRefusal | undefined {
  if (!limits) return undefined;
  if (limits.max_file_bytes > 0 && file.size > limits.max_file_bytes)
    return new LocalRefusal({ code: 'file_too_large', max_bytes: limits.max_file_bytes });
  const ext = file.name.toLowerCase().match(/\.([a-z0-9]+)$/)?.[1];
  const looksLikeImage = file.type.startsWith('image/') || !ext || limits.allowed_exts.includes(ext);
  return looksLikeImage ? undefined : new LocalRefusal({ code: 'ext_not_allowed', allowed_exts: limits.allowed_exts });
}
