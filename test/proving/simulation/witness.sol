// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity ^0.8.30;

/// Returns everything that a contract can see of its transaction and block.
contract Witness {
    struct Sight {
        address origin;
        uint256 originBalance;
        uint256 gasPrice;
        uint256 baseFee;
        uint256 blobBaseFee;
        address coinbase;
        uint256 number;
        uint256 timestamp;
        uint256 gasLimit;
        bytes32 parentHash;
        uint256 gasLeft;
    }

    event Seen(Sight sight);

    function look() public payable returns (Sight memory sight) {
        sight = Sight(
            tx.origin,
            tx.origin.balance,
            tx.gasprice,
            block.basefee,
            block.blobbasefee,
            block.coinbase,
            block.number,
            block.timestamp,
            block.gaslimit,
            blockhash(block.number - 1),
            gasleft()
        );
        emit Seen(sight);
    }

    /// The same after a call to somebody who may delegate.
    function lookAfter(address other) external returns (Sight memory) {
        (bool success,) = other.call("");
        require(success);
        return look();
    }

    /// Does nothing in a simulation that has no price of gas, and burns all gas on chain.
    function burnOnChain() external view {
        if (tx.gasprice == 0 || block.basefee == 0) return;
        while (true) {}
    }

    receive() external payable {}
}
