/** Name and version of the contract; a message that names another one is refused. */
export const CONTRACT = 'pactclaw.hook/1';
