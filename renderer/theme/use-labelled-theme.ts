import { mergeThemeOverrides } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { theme } from './theme.ts';

/** The theme with names in the user's language for buttons that only have an icon. */
export function useLabelledTheme() {
  const { t } = useTranslation();
  return useMemo(() => {
    const closeButtonProps = { 'aria-label': t('common.close') };
    return mergeThemeOverrides(theme, {
      components: {
        Modal: { defaultProps: { ...theme.components?.Modal?.defaultProps, closeButtonProps } },
        Notification: { defaultProps: { closeButtonProps } },
      },
    });
  }, [t]);
}
