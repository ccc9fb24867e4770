// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

interface IBalance {
    function balanceOf(address account) external view returns (uint256);
}

/// Holds a batch of calls to what it must bring: note a balance, make the calls, demand by how much the balance has grown.
/// Without an owner and without funds; what it notes is gone with the transaction. The zero address is the native coin.
contract OutputGuard {
    error NothingNoted();
    error OutputTooLow(uint256 received, uint256 minimum);

    /// Notes what an account has. It is kept apart for each caller.
    function note(address token, address account) external {
        store(slotOf(token, account), balanceOf(token, account) + 1);
    }

    /// Reverts unless the account has received the minimum since the caller's last note, which is used up.
    function demand(address token, address account, uint256 minimum) external {
        bytes32 slot = slotOf(token, account);
        uint256 noted;
        assembly ("memory-safe") {
            noted := tload(slot)
        }
        if (noted == 0) revert NothingNoted();
        store(slot, 0);
        uint256 present = balanceOf(token, account) + 1;
        uint256 received = present > noted ? present - noted : 0;
        if (received < minimum) revert OutputTooLow(received, minimum);
    }

    function store(bytes32 slot, uint256 value) private {
        assembly ("memory-safe") {
            tstore(slot, value)
        }
    }

    function slotOf(address token, address account) private view returns (bytes32) {
        return keccak256(abi.encode(msg.sender, token, account));
    }

    function balanceOf(address token, address account) private view returns (uint256) {
        return token == address(0) ? account.balance : IBalance(token).balanceOf(account);
    }
}
