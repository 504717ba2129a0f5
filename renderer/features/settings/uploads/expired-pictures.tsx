import { SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Setting } from '#renderer/features/settings/setting.tsx';
import { limitsQuery } from '#renderer/service/queries.ts';

interface Props {
  /** Whether the account deletes expired pictures at once; its group may decide so for all its members. */
  preferred: boolean;
  onChange: (preferred: boolean) => void;
}

/** Chooses what becomes of pictures that expire. */
export function ExpiredPictures({ preferred, onChange }: Props) {
  const { t } = useTranslation();
  const { data: limits } = useQuery(limitsQuery);
  const byGroup = limits?.delete_expired ?? false;
  return (
    <Setting title={t('expiry.preference')} hint={t('expiry.preferenceHint')}>
      {(label) =>
        byGroup ? (
          <Text size="sm">{t('expiry.byGroup')}</Text>
        ) : (
          <SegmentedControl
            fullWidth
            aria-labelledby={label}
            value={preferred ? 'delete' : 'keep'}
            onChange={(value) => onChange(value === 'delete')}
            data={[
              { value: 'keep', label: t('expiry.keep') },
              { value: 'delete', label: t('expiry.delete') },
            ]}
          />
        )
      }
    </Setting>
  );
}
