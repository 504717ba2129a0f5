import { Button, Container } from '@mantine/core';
import { IconCompass } from '@tabler/icons-react';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState, ErrorNotice } from '#renderer/components/notice.tsx';
import { useExplain } from '#renderer/service/explain.ts';

export function NotFoundPage() {
  const { t } = useTranslation();
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

/** Where a page cannot be shown at all: the service is away, or the page has a fault. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const explain = useExplain();
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Container component="main" size="xs" py="12vh">
      <ErrorNotice explanation={explain(error)} onRetry={retry} />
    </Container>
  );
}
