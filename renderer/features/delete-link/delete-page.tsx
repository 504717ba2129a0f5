import { Button, Container } from '@mantine/core';
import { IconCircleCheck, IconPhotoOff, IconShieldCheck } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '#api/client.ts';
import type { Deletion } from '#api/sharing/shares.ts';
import { PublicCard, PublicFrame, usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { thumbnailSrc } from '#renderer/images/address.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { forgetGuestLinks } from '#renderer/upload/guest-links.ts';
import classes from './delete.module.css';

const route = getRouteApi('/delete/$key/$secret');

/** The page behind a deletion link. It shows the image and deletes it only after confirmation. */
export function DeletePage() {
  const { key, secret } = route.useParams();
  return (
    <PublicFrame>
      <Deleting key={`${key}/${secret}`} imageKey={key} secret={secret} />
    </PublicFrame>
  );
}

function Deleting({ imageKey: key, secret }: { imageKey: string; secret: string }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const [kept, setKept] = useState(false);
  const params = { key, secret };
  const found = useQuery({
    queryKey: ['deletion', key, secret],
    queryFn: ({ signal }) => client.call('GET /delete/:key/:secret', { params, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const removal = useMutation({
    mutationFn: () => client.call('POST /delete/:key/:secret', { params }),
    onSuccess: () => forgetGuestLinks(key),
  });
  usePageTitle(t('deletion.title'));
  if (isMissing(found.error) || isMissing(removal.error))
    return <PublicCard art={<IconPhotoOff size={40} stroke={1.4} />} title={t('deletion.missingTitle')} text={t('deletion.missingText')} />;
  if (found.error)
    return (
      <Container size="xs" w="100%" py="12vh">
        <ErrorNotice explanation={explain(found.error)} onRetry={found.refetch} />
      </Container>
    );
  if (!found.data) return null;
  if (removal.isSuccess) return <Done image={found.data} />;
  if (kept)
    return (
      <PublicCard art={<IconShieldCheck size={40} stroke={1.4} />} title={t('deletion.keptTitle')} text={t('deletion.keptText')}>
        <Button variant="default" mt="lg" onClick={() => setKept(false)}>
          {t('deletion.again')}
        </Button>
      </PublicCard>
    );
  return (
    <Question
      image={found.data}
      pending={removal.isPending}
      error={removal.error}
      onDelete={() => removal.mutate()}
      onKeep={() => setKept(true)}
    />
  );
}

const isMissing = (error: Error | null) => error instanceof ApiError && error.code === 'not_found';

function Done({ image: { name, permanent } }: { image: Deletion }) {
  const { t } = useTranslation();
  return (
    <div role="status" style={{ display: 'contents' }}>
      <PublicCard
        art={<IconCircleCheck size={40} stroke={1.4} />}
        title={t('deletion.doneTitle')}
        text={permanent ? t('deletion.donePermanent', { name }) : t('deletion.doneTrash', { name })}
      />
    </div>
  );
}

interface Props {
  image: Deletion;
  pending: boolean;
  /** The error of the last attempt. */
  error: Error | null;
  onDelete: () => void;
  onKeep: () => void;
}

/** Shows an image and asks before deleting it. */
function Question({ image, pending, error, onDelete, onKeep }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const { key, name, ext, size, width, height, created_at, thumbnail_url, permanent } = image;
  const pixels = `${width} × ${height}`;
  return (
    <section className={classes.question}>
      <div className={classes.image}>
        {/* The response's address is meant for others; load the same thumbnail from the page's own origin. */}
        {thumbnail_url ? <img src={thumbnailSrc({ key }, 800)} alt={name} /> : <IconPhotoOff size={48} stroke={1.2} aria-hidden />}
      </div>
      <h1>{t('deletion.title')}</h1>
      <p className={classes.name}>{name}</p>
      <p className={classes.facts}>{[pixels, format.bytes(size), ext.toUpperCase()].join(' · ')}</p>
      <p className={classes.facts}>{t('deletion.uploaded', { date: format.moment(created_at) })}</p>
      <p>{permanent ? t('deletion.permanent') : t('deletion.trash')}</p>
      {error && <ErrorNotice explanation={explain(error)} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={onKeep}>
          {t('deletion.keep')}
        </Button>
        <Button color="red.8" loading={pending} onClick={onDelete}>
          {t('deletion.confirm')}
        </Button>
      </div>
    </section>
  );
}
