import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf } from '#api/client.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './request.module.css';
import { senderHeaders } from './sender.ts';

/** The pictures of other senders, where the link shows them. */
export function ShownPictures({ id, pictures }: { id: string; pictures: readonly { id: string }[] }) {
  const { t } = useTranslation();
  if (pictures.length === 0) return null;
  return (
    <section className={classes.own} aria-label={t('sending.all')}>
      <h2>{t('sending.all')}</h2>
      <ul className={classes.grid}>
        {pictures.map((picture) => (
          <li key={picture.id}>
            <SentThumbnail id={id} file={picture.id} alt={t('sending.other')} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A thumbnail. It is fetched, since an `<img>` can't send who asks for it. */
export function SentThumbnail({ id, file, alt }: { id: string; file: string; alt: string }) {
  const { data: bytes } = useQuery({
    queryKey: ['request', id, 'thumbnail', file],
    async queryFn({ signal }) {
      const response = await fetch(addressOf('GET /r/:id/pictures/:file', { params: { id, file } }), {
        headers: senderHeaders(id),
        signal,
      });
      return response.ok ? response.blob() : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [source, setSource] = useState<string>();
  useEffect(() => {
    if (!bytes) return;
    const url = URL.createObjectURL(bytes);
    setSource(url);
    return () => URL.revokeObjectURL(url);
  }, [bytes]);
  return source ? <img className={classes.thumbnail} src={source} alt={alt} /> : <span className={classes.thumbnail} />;
}
