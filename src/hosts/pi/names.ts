export const HOST = 'pi';
