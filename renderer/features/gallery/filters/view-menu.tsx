import { Button, Popover, Select, Stack } from '@mantine/core';
import { IconLayersDifference } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { PopupProps } from '#renderer/components/popup-button.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { type Density, type PictureLayout, TIMELINES, type Timeline } from '#renderer/preferences/preference-values.ts';
import { setPreferences, usePreferences } from '#renderer/preferences/preferences.ts';
import { Choice } from './choice.tsx';

/** The order and size of the images. */
export function ViewMenu({ button }: PopupProps) {
  const { t } = useTranslation();
  const { timeline, density, layout } = usePreferences();
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus width={280}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={t('gallery.view')}>
        <Stack gap="md">
          <Select
            label={t('gallery.order')}
            value={timeline}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={(value) => value && setPreferences({ timeline: value as Timeline })}
            data={TIMELINES.map((value) => ({ value, label: t(`preferences.orders.${value}`) }))}
          />
          <Choice<PictureLayout>
            label={t('preferences.layout')}
            value={layout}
            onChange={(value) => setPreferences({ layout: value })}
            data={[
              { value: 'grid', label: t('preferences.grid') },
              { value: 'list', label: t('preferences.list') },
            ]}
          />
          {layout === 'grid' && (
            <Choice<Density>
              label={t('preferences.density')}
              value={density}
              onChange={(value) => setPreferences({ density: value })}
              data={[
                { value: 'small', label: t('preferences.densitySmall') },
                { value: 'medium', label: t('preferences.densityMedium') },
                { value: 'large', label: t('preferences.densityLarge') },
              ]}
            />
          )}
          <Button
            component={Link}
            to="/duplicates"
            variant="default"
            size="sm"
            leftSection={<IconLayersDifference size={17} stroke={1.7} />}
          >
            {t('duplicates.find')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
