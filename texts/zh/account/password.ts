import type { password as english } from '#texts/en/account/password.ts';
import type { Translated } from '#texts/translated.ts';

export const password: Translated<typeof english> = { weak: '太容易被猜到', fair: '一般', good: '良好', strong: '很强' };
