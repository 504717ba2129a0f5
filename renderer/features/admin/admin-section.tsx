import { Skeleton, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { NotFound } from '#renderer/components/layout/not-found.tsx';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { SECTIONS } from './sections.ts';

/** The administration page that the address names. */
export function AdminSection() {
  const { section } = useParams({ from: '/member/admin/$section' });
  const found = SECTIONS.find(({ id }) => id === section);
  const { t } = useTranslation('admin');
  usePageTitle(found && t(`sections.${found.id}`));
  if (!found) return <NotFound />;
  const { Page } = found;
  return (
    <Suspense
      fallback={
        <Stack>
          <Skeleton height={28} width="40%" />
          <Skeleton height={160} />
        </Stack>
      }
    >
      <Page />
    </Suspense>
  );
}
