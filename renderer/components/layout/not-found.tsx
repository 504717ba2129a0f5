import { Button } from '@mantine/core';
import { IconCompass } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '#renderer/i18n/t.ts';
import { PublicCard, PublicFrame, usePageTitle } from './public-frame.tsx';

/** A page of its own for an address that leads nowhere. */
export function NotFoundPage() {
  return (
    <PublicFrame>
      <NotFound />
    </PublicFrame>
  );
}

/** The same inside of a page. */
export function NotFound() {
  const { t } = useTranslation();
  usePageTitle(t('app.notFound'));
  return (
    <PublicCard art={<IconCompass size={40} stroke={1.4} />} title={t('app.notFound')} text={t('app.notFoundHint')}>
      <Button mt="lg" renderRoot={(props) => <Link to="/" {...props} />}>
        {t('app.toPictures')}
      </Button>
    </PublicCard>
  );
}
