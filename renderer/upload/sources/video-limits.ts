import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { KnownLimits } from '#renderer/upload/queue/refusal.ts';
import { takesVideos } from './limits.ts';

/** How large and how long videos may be, in a sentence; empty where none are allowed, or any. */
export function useVideoLimits(limits: KnownLimits | undefined): string {
  const { t } = useTranslation();
  const format = useFormat();
  const { max_video_bytes: bytes = 0, max_video_seconds: seconds = 0 } = limits ?? {};
  const parts = [bytes ? format.bytes(bytes) : '', seconds ? format.length(seconds) : ''].filter(Boolean);
  return parts.length > 0 && takesVideos(limits) ? t('upload.videos', { limits: format.list(parts) }) : '';
}
