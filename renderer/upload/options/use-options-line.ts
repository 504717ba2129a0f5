import { useQuery } from '@tanstack/react-query';
import { FORMATS, formatsWith } from '#api/formats.ts';
import { albumsOf } from '#api/images/album-fields.ts';
import type { FormFields } from '#api/images/upload.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { profileQuery } from '#renderer/service/account.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { useAlbumNames } from './use-album-names.ts';

/** Options in a line, such as “Only you · 1 week · Holiday”; undefined where everything is as usual. */
export function useOptionsLine(fields: FormFields): string | undefined {
  const { t } = useTranslation();
  const format = useFormat();
  const whoCanOpen = useWhoCanOpen();
  const albums = useAlbumNames(albumsOf(fields));
  const { data: profile } = useQuery({ ...profileQuery, enabled: fields.visibility !== undefined });
  const { visibility, expires_in, expires_at, max_views, tags, slug } = fields;
  const converted = formatsWith('chosen').find((one) => one === fields.convert);
  const parts = [
    visibility && visibility !== profile?.preferences.visibility && whoCanOpen(visibility === 'private' ? 'private' : 'public'),
    albums,
    Number(expires_in) > 0 && t('batch.expiresAfter', { time: format.period(Number(expires_in)) }),
    expires_at && t('batch.expiresAt', { date: format.moment(expires_at) }),
    max_views && t('batch.views', { count: Number(max_views) }),
    slug,
    converted && FORMATS[converted].label,
    tags && format.list(tags.split(',')),
  ].filter(Boolean);
  return parts.length ? parts.join(' · ') : undefined;
}
