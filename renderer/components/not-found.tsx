import { Button } from '@mantine/core';
import { IconCompass } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from './notice.tsx';
import { usePageTitle } from './public-frame.tsx';

export function NotFoundPage() {
  const { t } = useTranslation();
  usePageTitle(t('app.notFound'));
  return (
    <main>
      <EmptyState art={<IconCompass size={56} stroke={1.2} aria-hidden />} title={t('app.notFound')} text={t('app.notFoundHint')} order={1}>
        <Button mt="md" renderRoot={(props) => <Link to="/" {...props} />}>
          {t('app.toPictures')}
        </Button>
      </EmptyState>
    </main>
  );
}
