import { ActionIcon, Popover, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Density, Timeline } from '../../preference-values.ts';
import { setPreferences, usePreferences } from '../../preferences.ts';

/** In what order and how large pictures are shown. */
export function ViewMenu() {
  const { t } = useTranslation();
  const { timeline, density } = usePreferences();
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus width={280}>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('gallery.view')}>
          <IconAdjustmentsHorizontal size={20} stroke={1.7} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('gallery.view')}>
        <Stack gap="md">
          <Choice<Timeline>
            label={t('gallery.order')}
            value={timeline}
            onChange={(value) => setPreferences({ timeline: value })}
            data={[
              { value: 'uploaded_desc', label: t('gallery.orderUploaded') },
              { value: 'taken_desc', label: t('gallery.orderTaken') },
            ]}
          />
          <Choice<Density>
            label={t('gallery.density')}
            value={density}
            onChange={(value) => setPreferences({ density: value })}
            data={[
              { value: 'small', label: t('gallery.densitySmall') },
              { value: 'medium', label: t('gallery.densityMedium') },
              { value: 'large', label: t('gallery.densityLarge') },
            ]}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  data: { value: T; label: string }[];
  onChange: (value: T) => void;
}

function Choice<T extends string>({ label, value, data, onChange }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div>
      <Text size="sm" fw={550} mb={6} id={id}>
        {label}
      </Text>
      <SegmentedControl fullWidth size="xs" aria-labelledby={id} value={value} data={data} onChange={(chosen) => onChange(chosen as T)} />
    </div>
  );
}
