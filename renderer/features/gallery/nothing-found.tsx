import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#renderer/components/notices/notice.tsx';

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
