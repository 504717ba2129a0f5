import { type QueryClient, useQuery } from '@tanstack/react-query';
import { ACCEPTED_FILES, ACCEPTED_VIDEOS, allowsVideos } from '#api/formats.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { configQuery, limitsQuery, sessionQuery } from '#renderer/service/queries.ts';
import type { KnownLimits } from '#renderer/upload/queue/refusal.ts';

interface Sources {
  limits: KnownLimits | undefined;
  config: { allowed_exts: readonly string[]; guest_limits: KnownLimits } | undefined;
  signedIn: boolean;
}

/** The user's own limits as far as they are loaded, or those of guests. */
function choose({ limits, config, signedIn }: Sources): KnownLimits | undefined {
  if (!signedIn) return config?.guest_limits;
  return limits ?? (config && { max_file_bytes: 0, max_video_bytes: 0, max_video_seconds: 0, allowed_exts: config.allowed_exts });
}

/** The upload limits that apply here, from queries already loaded. */
export function loadedLimits(queryClient: QueryClient): KnownLimits | undefined {
  return choose({
    limits: queryClient.getQueryData(limitsQuery.queryKey),
    config: queryClient.getQueryData(configQuery.queryKey),
    signedIn: !!queryClient.getQueryData(sessionQuery.queryKey)?.user,
  });
}

/** The upload limits that apply here; undefined until loaded. */
export function useUploadLimits(): KnownLimits | undefined {
  const { data: config } = useQuery(configQuery);
  const { data: session } = useQuery(sessionQuery);
  const signedIn = !!session?.user;
  const { data: limits } = useQuery({ ...limitsQuery, enabled: signedIn });
  return choose({ limits, config, signedIn });
}

export const takesVideos = (limits: Pick<KnownLimits, 'allowed_exts'> | undefined): boolean => allowsVideos(limits?.allowed_exts ?? []);

/** What a file dialog offers. */
export const acceptedBy = (limits: Pick<KnownLimits, 'allowed_exts'> | undefined): string =>
  takesVideos(limits) ? `${ACCEPTED_FILES},${ACCEPTED_VIDEOS}` : ACCEPTED_FILES;

/** How large and how long videos may be, in a sentence; empty where none are allowed, or any. */
export function useVideoLimits(limits: KnownLimits | undefined): string {
  const { t } = useTranslation();
  const format = useFormat();
  const { max_video_bytes: bytes = 0, max_video_seconds: seconds = 0 } = limits ?? {};
  const parts = [bytes ? format.bytes(bytes) : '', seconds ? format.length(seconds) : ''].filter(Boolean);
  return parts.length > 0 && takesVideos(limits) ? t('upload.videos', { limits: format.list(parts) }) : '';
}
