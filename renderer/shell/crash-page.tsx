import { Container } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useExplain } from '#renderer/service/explain.ts';

/** Where a page cannot be shown at all: the service is unreachable, or the page has a bug. */
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
