import { ApiError } from '#api/client.ts';
import type { ErrorCode } from '#api/errors.ts';
import { classify } from '#api/failures.ts';
import { FORMATS, formatOfFile, formatOfType, hasTrait } from '#api/formats.ts';
import { LocalRefusal } from '#renderer/service/explain.ts';

/** The limits known before sending; 0 means unlimited. */
export interface KnownLimits {
  max_file_bytes: number;
  max_video_bytes: number;
  max_video_seconds: number;
  allowed_exts: readonly string[];
}

/**
 * Returns a reason not to send a file: it is too large, or neither its name nor its type suggests an image.
 * Only clear cases are refused here, since the service decides by content.
 */
export function refuse(file: File, limits: KnownLimits | undefined): LocalRefusal | undefined {
  if (!limits) return undefined;
  const max_bytes = isVideoFile(file) ? limits.max_video_bytes : limits.max_file_bytes;
  if (max_bytes > 0 && file.size > max_bytes) return new LocalRefusal({ code: 'file_too_large', max_bytes });
  const ext = file.name.toLowerCase().match(/\.([a-z0-9]+)$/)?.[1];
  const format = formatOf(file);
  const exts: readonly string[] = format ? FORMATS[format].allowedAs : [];
  const looksAllowed = file.type.startsWith('image/') || !ext || [ext, ...exts].some((each) => limits.allowed_exts.includes(each));
  return looksAllowed ? undefined : new LocalRefusal({ code: 'ext_not_allowed', allowed_exts: limits.allowed_exts });
}

const formatOf = ({ name, type }: Pick<File, 'name' | 'type'>) => formatOfFile(name) ?? formatOfType(type);

/** Whether a file's name or type says that it is a video. */
export function isVideoFile(file: Pick<File, 'name' | 'type'>): boolean {
  const format = formatOf(file);
  return format !== undefined && hasTrait(format, 'video');
}

/** Refusals that may end without a change of the file: someone signs in, makes room, or opens the link again. */
const LIFTED: readonly ErrorCode[] = ['unauthorized', 'quota_exceeded', 'request_closed'];

/** Whether another attempt to upload the same file may succeed, once the user asks for it. */
export function canSucceed(error: unknown): boolean {
  return classify(error) !== 'permanent' || (error instanceof ApiError && LIFTED.includes(error.code));
}
