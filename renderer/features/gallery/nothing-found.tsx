import { Button } from '@mantine/core';
import { EmptyState } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';

/** Shown where a search or a filter leaves no image. */
export function NothingFound({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState art={null} title={t('library.nothing')} text={t('library.nothingText')}>
      <Button variant="default" mt="md" onClick={onClear}>
        {t('library.showAll')}
      </Button>
    </EmptyState>
  );
}
